#include "hindsight/reports/plot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "hindsight/reports/wording.hpp"

extern char** environ;

namespace hindsight {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void hold(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Range x_range(const Plot& plot) {
  Range x;
  for (const PlotLine& line : plot.lines)
    for (const PlotPoint& point : line.points) x.hold(point.x);
  if (x.low == x.high) return {x.low / 2, x.high * 2};
  return {x.low * (1 - 1e-6), x.high * (1 + 1e-6)};  // or gnuplot may lose the ticks at the ends
}

/// Around the lines: bands may be wide, with few seeds, and are cut.
Range y_range(const Plot& plot) {
  Range y;
  for (const PlotLine& line : plot.lines)
    for (const PlotPoint& point : line.points) y.hold(plot.log_y ? std::log(point.y) : point.y);
  const double span = y.high - y.low;
  const double margin = span > 0 ? span / 8 : std::max(std::abs(y.high) / 8, 1e-3);
  const Range wide{y.low - margin, y.high + margin};
  return plot.log_y ? Range{std::exp(wide.low), std::exp(wide.high)} : wide;
}

/// 0.01, 5, 200, 20k, 3M
std::string tick_label(double value) {
  for (const auto& [unit, suffix] : {std::pair{1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
    if (value >= unit * (1 - 1e-9)) return fmt::format("{:g}{}", value / unit, suffix);
  return fmt::format("{:g}", value);
}

/// Decades; in a short range also what lies between them.
std::string log_ticks(const Range& range) {
  const double decades = std::log10(range.high / range.low);
  std::string text;
  for (double decade = std::floor(std::log10(range.low)); decade <= std::log10(range.high);
       ++decade)
    for (const int digit : {1, 2, 5}) {
      const double value = digit * std::pow(10, decade);
      if (digit > 1 && decades > 2.5) continue;
      if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9)) continue;
      text += fmt::format("{}'{}' {:.17g}", text.empty() ? "" : ", ", tick_label(value), value);
    }
  return text;
}

/// A text between single quotes, where gnuplot reads nothing but the closing quote; a doubled quote
/// inside would do, if it did not misread one that comes first. `]]>` may not stand in an XML text,
/// and gnuplot would let it.
std::string quoted(const std::string& title) {
  std::string text = "'";
  for (const char c : shortened(title, 34)) {
    if (c == '>' && text.ends_with("]]")) text += ' ';
    if (c == '\'')
      text += "\u2019";
    else
      text += c;
  }
  return text + "'";
}

/// Dash type i + 1 is that of line i, in the plot and in its key.
std::string dash_type(std::size_t i, const std::string& dashes) {
  std::string list = dashes;
  std::replace(list.begin(), list.end(), ' ', ',');
  return fmt::format("set dashtype {} {}\n", i + 1, list.empty() ? "solid" : "(" + list + ")");
}

double line_width(const PlotStyle& style) { return style.thin ? 1.2 : 2; }

void add_data(std::string& script, std::size_t i, const PlotLine& line, const Range& y) {
  script += dash_type(i, line.style.dashes) + fmt::format("$line{} << END\n", i);
  for (const PlotPoint& p : line.points)
    script += fmt::format("{:.10g} {:.10g} {:.10g} {:.10g}\n", p.x, p.y,
                          std::clamp(p.low, y.low, y.high), std::clamp(p.high, y.low, y.high));
  script += "END\n";
}

constexpr std::size_t row_height = 21;  // of the key

/// gnuplot's own key breaks into columns, or takes the plot's room, when names are many or long.
void add_key(std::string& script, std::size_t i, const PlotLine& line, double y) {
  const PlotStyle& style = line.style;
  script += fmt::format(
      "set arrow from screen 0.675,{0:.6f} to screen 0.72,{0:.6f} nohead linecolor '{1}' linewidth "
      "{2} dashtype {3}\nset label {4} at screen 0.73,{0:.6f} left\n",
      y, style.colour, line_width(style), i + 1, quoted(line.title));
  if (style.marker > 0)
    script += fmt::format(
        "set label '' at screen 0.6975,{:.6f} point pointtype {} pointsize 0.8 linecolor '{}'\n", y,
        style.marker, style.colour);
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Gone with its last descriptor.
File temporary_file() {
  File file(std::tmpfile(), std::fclose);
  if (!file) throw PlotError(fmt::format("no temporary file: {}", std::strerror(errno)));
  return file;
}

std::string content_of(std::FILE* file) {
  std::string text;
  std::array<char, 1 << 16> buffer;
  std::rewind(file);
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file))
    text.append(buffer.data(), n);
  return text;
}

}  // namespace

std::string gnuplot_script(const Plot& plot) {
  assert(!plot.lines.empty());
  const Range x = x_range(plot), y = y_range(plot);
  const std::size_t height = std::max<std::size_t>(430, 40 + row_height * plot.lines.size());
  std::string script = fmt::format(
      "set terminal svg size 900,{} dynamic noenhanced font 'Helvetica,14' background '#ffffff'\n",
      height);
  script +=
      "set border 3 linecolor '#555555'\nset tics nomirror textcolor '#333333'\n"
      "set grid linecolor '#e4e4e4' linetype 1 linewidth 1\n"
      "set logscale x\n";
  script += "set lmargin at screen 0.085\nset rmargin at screen 0.65\nunset key\n";
  script +=
      fmt::format("set xlabel {}\nset ylabel {}\n", quoted(plot.x_label), quoted(plot.y_label));
  script +=
      fmt::format("set xrange [{:.10g}:{:.10g}]\nset xtics ({})\n", x.low, x.high, log_ticks(x));
  script += fmt::format("set yrange [{:.10g}:{:.10g}]\n", y.low, y.high);
  if (plot.log_y) script += fmt::format("set logscale y\nset ytics ({})\n", log_ticks(y));
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    add_data(script, i, plot.lines[i], y);
    const double below_top = 16 + row_height * static_cast<double>(i);
    add_key(script, i, plot.lines[i], 1 - below_top / static_cast<double>(height));
  }
  std::string bands, lines;
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const PlotStyle& style = plot.lines[i].style;
    const auto& points = plot.lines[i].points;
    if (std::any_of(points.begin(), points.end(),
                    [](const PlotPoint& p) { return p.low < p.high; }))
      bands += fmt::format(
          "$line{} using 1:3:4 with filledcurves fillcolor '{}' fillstyle transparent solid 0.14 "
          "noborder notitle, ",
          i, style.colour);
    lines += fmt::format(
        "{}$line{} using 1:2 with {} linecolor '{}' linewidth {} dashtype {}{} notitle",
        lines.empty() ? "" : ", ", i, style.marker > 0 ? "linespoints" : "lines", style.colour,
        line_width(style), i + 1,
        // Markers enough to tell a line by, few enough to see it.
        style.marker > 0 ? fmt::format(" pointtype {} pointsize 0.7 pointinterval {}", style.marker,
                                       std::max<std::size_t>(1, points.size() / 6))
                         : "");
  }
  return script + "plot " + bands + lines + "\n";
}

std::vector<std::string> draw(const std::vector<Plot>& plots) {
  std::string script;
  for (const Plot& plot : plots)
    if (!plot.lines.empty()) script += "reset\n" + gnuplot_script(plot);
  if (script.empty()) return std::vector<std::string>(plots.size());
  const File in = temporary_file(), out = temporary_file(), err = temporary_file();
  if (std::fwrite(script.data(), 1, script.size(), in.get()) != script.size() ||
      std::fflush(in.get()) != 0)
    throw PlotError("the temporary file cannot be written");
  std::rewind(in.get());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), 1);
  posix_spawn_file_actions_adddup2(&actions, fileno(err.get()), 2);
  // -d: whatever the user's own gnuplot settings are, the plot is the same.
  std::array<std::string, 3> words = {"gnuplot", "-d", "-"};
  std::array<char*, 4> arguments = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int trouble = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (trouble == ENOENT) throw PlotError("gnuplot is not installed");
  if (trouble != 0) throw PlotError(fmt::format("gnuplot: {}", std::strerror(trouble)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw PlotError(fmt::format("gnuplot: {}", std::strerror(errno)));
  const std::string all = content_of(out.get());
  std::vector<std::string> svgs;
  std::size_t start = 0;
  for (const Plot& plot : plots) {
    svgs.emplace_back();
    if (plot.lines.empty()) continue;
    const std::string last = "</svg>\n";
    start = all.find("<?xml", start);
    const std::size_t end = all.find(last, start);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || end == std::string::npos)
      throw PlotError("gnuplot failed: " + shortened(content_of(err.get()), 300));
    svgs.back() = all.substr(start, end + last.size() - start);
    start = end + last.size();
  }
  return svgs;
}

}  // namespace hindsight
