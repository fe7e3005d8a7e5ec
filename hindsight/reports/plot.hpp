/// A plot as values, and its drawing by gnuplot.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace hindsight {

/// Told apart by colour, dashes and markers, so that any one of them may be lost on the reader.
struct PlotStyle {
  std::string colour;  ///< "#0072B2"
  std::string dashes;  ///< as SVG has them: "8 4"; empty for a whole line
  int marker = 0;      ///< gnuplot's number; 0 for none
  bool thin = false;
};

struct PlotPoint {
  double x = 0, y = 0;
  double low = 0, high = 0;  ///< the band; equal to y where there is none
};

struct PlotLine {
  std::string title;
  PlotStyle style;
  std::vector<PlotPoint> points;
};

struct Plot {
  std::string name;  ///< of the file, without ending
  std::string title;
  std::string x_label, y_label;
  bool log_y = false;  ///< x always is logarithmic
  std::vector<PlotLine> lines;
  std::string caption;
};

/// Commands for gnuplot. Titles cannot reach its language.
std::string gnuplot_script(const Plot& plot);

struct PlotError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The SVG of each, drawn by one gnuplot; empty where there is no line. Throws PlotError where
/// gnuplot is missing or fails.
std::vector<std::string> draw(const std::vector<Plot>& plots);

}  // namespace hindsight
