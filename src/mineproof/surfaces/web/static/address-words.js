// What is said of an address that nobody understands.

/** Of names in it that a view does not know; `known` are those it knows. */
export function unknownWords(unknown, title, known) {
  const accepted = known.length ? `${title} knows ${known.join(", ")}` : `${title} knows none`;
  const named = unknown.slice(0, 3).map((key) => `“${key.slice(0, 40)}”`);
  if (unknown.length > named.length) named.push(`${unknown.length - named.length} more`);
  const last = named.pop();
  const all = named.length ? `${named.join(", ")} and ${last}` : last;
  return `${all} in the address ${named.length ? "are" : "is"} ignored: ${accepted}.`;
}
