# The core, without Python, as a library for the tests and the fuzzers: set BUILD, CXX, CXXFLAGS, then include this.
# CORE names a library that is compiled already.
ALL := -std=c++20 -Wall -Wextra -Wno-psabi -MMD -MP -I..
SOURCES := $(filter-out ../bindings.cpp,$(wildcard ../*.cpp ../exact/*.cpp ../search/*.cpp ../batch/*.cpp ../generation/*.cpp))
OBJECTS := $(SOURCES:../%.cpp=$(BUILD)/%.o)

$(BUILD)/%.o: ../%.cpp
	@mkdir -p $(@D)
	@echo "compiling $(<:../%=%)"
	@$(CXX) $(ALL) $(CXXFLAGS) -c $< -o $@
ifeq ($(CORE),)
override CORE := $(BUILD)/libcore.a
$(CORE): $(OBJECTS)
	@rm -f $@
	@ar rcs $@ $^
endif
$(BUILD)/%: %.cpp $(CORE)
	@mkdir -p $(@D)
	@echo "compiling $<"
	@$(CXX) $(ALL) $(CXXFLAGS) $(LINK) $< $(CORE) -o $@ -lpthread

-include $(OBJECTS:.o=.d)
.SECONDARY: $(OBJECTS)
