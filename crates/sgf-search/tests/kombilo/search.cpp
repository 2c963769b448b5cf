// Searches games with libkombilo: the files that standard input lists first, up to an empty line, for the patterns after them.
//
// A pattern is a line: left, right, top and bottom (where its upper left corner may be), columns, rows, points. For each, a line
// has the numbers of the games that have it. Built by compare.py.

#include "search.h"

#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  ProcessOptions options;
  options.processVariations = false;
  options.sgfInDB = false;
  options.algos = ALGO_FINALPOS | ALGO_MOVELIST;
  GameList games(argv[1], "id", "[[filename]]", &options, 19);
  std::vector<GameList*> others;
  games.start_processing(0);
  std::string line;
  for (int number = 0; std::getline(std::cin, line) && !line.empty(); number++) {
    std::ifstream file(line.c_str(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    std::string name = std::to_string(number);
    int read = games.process(text.str().c_str(), "", name.c_str(), others);
    int result = read > 0 ? games.process_results(0) : -1;
    if (result != 0) std::cout << "problem " << number << " " << result << "\n";
  }
  games.finalize_processing();
  std::cout << "patterns\n";
  while (std::getline(std::cin, line)) {
    std::stringstream words(line);
    int left, right, top, bottom, columns, rows;
    std::string points;
    words >> left >> right >> top >> bottom >> columns >> rows >> points;
    Pattern pattern(left, right, top, bottom, 19, columns, rows, points.c_str());
    SearchOptions how(0);
    how.searchInVariations = false;
    games.reset();
    games.search(pattern, &how);
    for (int at = 0; at < games.size(); at++)
      std::cout << games.get_gameInfoStr(games.get_currentList_entry(at).second) << " ";
    std::cout << "\n";
  }
}
