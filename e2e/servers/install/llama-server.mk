# llama-server around the engine's own libraries, so that only the server itself is compiled: minutes instead of an hour. Pictures and sound are
# left out.

VPATH := source/tools/server:source/tools/mtmd:source/vendor/cpp-httplib:objects
INCLUDED := include ggml/include common tools/server tools/mtmd vendor vendor/cpp-httplib
FLAGS := -std=c++17 -O1 -w -Iobjects $(INCLUDED:%=-Isource/%) -DLLAMA_SUBPROCESS -DLLAMA_SHARED -DGGML_SHARED -DGGML_BACKEND_SHARED
PARTS := $(notdir $(wildcard source/tools/server/*.cpp)) httplib.cpp ui.cpp mtmd.cpp mtmd-helper.cpp mtmd-helper-gen.cpp mtmd-audio.cpp mtmd-image.cpp clip.cpp
LIBRARIES := $(wildcard libllama*.so libggml.*.so) libggml-base.so

OBJECTS := $(PARTS:%.cpp=objects/%.o)
LINK = c++ $(OBJECTS) $(LIBRARIES) -lpthread -Wl,-rpath,'$$ORIGIN'

llama-server: $(OBJECTS) objects/missing.o
	$(LINK) objects/missing.o -o $@

# Every name that the linker misses ends the program if it is called.
objects/missing.c: $(OBJECTS)
	$(LINK) -Wl,--no-demangle -o /dev/null 2>&1 | sed -n "s/.*undefined reference to .\([A-Za-z0-9_]*\)'.*/void \1(void) { __builtin_trap(); }/p" | sort -u > $@

objects/missing.o: objects/missing.c
	cc -c -o $@ $<

objects/%.o: %.cpp
	c++ $(FLAGS) -c -o $@ $<
