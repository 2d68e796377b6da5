// An agent in Java for mineproof's protocol of lines; it needs no library.
//
//     javac -d out examples/programs/Sweeper.java
//     mineproof play --agent "command: java -XX:+UseSerialGC -cp out Sweeper" --board beginner
//
// One clue at a time: if its hidden neighbours are all mines or all safe, it plays one of them.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Sweeper {
    static final Pattern ROWS = Pattern.compile("\"rows\": \\[([^\\]]*)\\]");
    static final Pattern MOVE = Pattern.compile("\"move\": (\\d+)");
    static final Pattern SEED = Pattern.compile("\"seed\": (\\d+)");
    static Random random = new Random();

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (field(MOVE, line).equals("1")) { // a new game
                random = new Random(Long.parseLong(field(SEED, line)));
            }
            System.out.println(move(field(ROWS, line).replaceAll("[\" ]", "").split(",")));
        }
    }

    static String field(Pattern pattern, String line) {
        Matcher found = pattern.matcher(line);
        if (!found.find()) {
            throw new IllegalArgumentException("not as expected: " + line);
        }
        return found.group(1);
    }

    static String move(String[] rows) {
        List<int[]> unknown = new ArrayList<>();
        for (int row = 0; row < rows.length; row++) {
            for (int column = 0; column < rows[row].length(); column++) {
                char mark = rows[row].charAt(column);
                if (mark == '.') {
                    unknown.add(new int[] {row, column});
                }
                if (!Character.isDigit(mark)) {
                    continue;
                }
                List<int[]> hidden = new ArrayList<>();
                int mines = mark - '0';
                for (int r = Math.max(row - 1, 0); r < Math.min(row + 2, rows.length); r++) {
                    for (int c = Math.max(column - 1, 0); c < Math.min(column + 2, rows[r].length()); c++) {
                        char near = rows[r].charAt(c);
                        if (near == '.') {
                            hidden.add(new int[] {r, c});
                        } else if (near == 'F' || near == '*') {
                            mines--;
                        }
                    }
                }
                if (!hidden.isEmpty() && (mines == 0 || mines == hidden.size())) {
                    return answer(mines == 0 ? "open" : "flag", hidden.get(0), "proved", "single-point");
                }
            }
        }
        if (unknown.isEmpty()) {
            return "{\"stop\": \"every hidden cell is flagged\"}";
        }
        return answer("open", unknown.get(random.nextInt(unknown.size())), "guess", "random");
    }

    static String answer(String action, int[] cell, String kind, String name) {
        return String.format("{\"%s\": [%d, %d], \"%s\": \"%s\"}", action, cell[0], cell[1], kind, name);
    }
}
