/// Pools made from data files, each read in its own format. docs/games.md says which decision each
/// of them is about, and what it is worth.
#pragma once

#include <string>

#include "hindsight/games/data_game.hpp"

namespace hindsight {

/// What all of them share.
struct DataOptions {
  std::string path;
  int items = 50;  ///< candidates: the most frequent ones, and all where there are fewer
  int batch = 1;   ///< rows (users, documents, customers) a round; their worth is added up
  bool skip_malformed = false;
};

/// Rows `user, item, rating`. A user's worth of a set is the rating of its best item, plus `shift`;
/// 0 for what the user did not rate.
struct RatingsOptions : DataOptions {
  double shift = 0;
  std::string names = {};  ///< rows `item, name[, group|group|...]`; none: items have no names
};
DataPool ratings_pool(const RatingsOptions& options);

/// Rows `user, item`. A user is worth 1 if some item of the set was visited.
struct VisitsOptions : DataOptions {
  std::string names = {};  ///< as for ratings
};
DataPool visits_pool(const VisitsOptions& options);

/// Bags of words (UCI) or JSON lines with a `text`. Items are words; a document is worth its length
/// if it contains some word of the set.
struct WordsOptions : DataOptions {
  double most_documents = 0.5;  ///< words in a larger share of the documents are no candidates
};
DataPool words_pool(const WordsOptions& options);

/// Edges `from to [weight]`. Items are nodes; a set is worth how many nodes it reaches in the
/// independent cascade model, averaged over a batch of live-edge graphs.
struct GraphOptions : DataOptions {
  bool directed = false;
  double probability = 0.01;  ///< that an edge of weight 1 is live
  int pool = 100;             ///< batches
  int graphs = 5;             ///< in a batch
};
DataPool graph_pool(const GraphOptions& options);

/// A table of numbers whose last column is the response. Items are rows, that is experiments to
/// make; a set is worth the log-determinant of the information it gives on a linear model in
/// `factors` of the columns. A round for each choice of columns.
struct DesignOptions : DataOptions {
  int factors = 0;   ///< 0: all columns
  double scale = 1;  ///< prior variance of a coefficient over the variance of the noise
  int samples = 1024;
};
DataPool design_pool(const DesignOptions& options);

/// A row a day: date, then a reading or nothing from each station. A set of stations is worth the
/// highest of its readings.
DataPool stations_pool(const DataOptions& options);

/// Airports with coordinates, and routes between them with counts of flights. A customer is at some
/// airport, and items are airports; or customers want to fly some route, and items are routes. An
/// item is worth 1 - gap / reach or nothing, where the gap is the distance to it, for routes the
/// average of the distances between their ends; a set is worth its best item.
struct AirportsOptions : DataOptions {
  std::string routes;
  bool items_are_routes = false;
  double reach = 500;  ///< km
};
DataPool airports_pool(const AirportsOptions& options);

/// OR-Library p-median: nodes, edges, p; then edges with costs. Items are nodes; a customer at node
/// c is worth D - (distance to the nearest chosen node), D the largest distance of all.
DataPool p_median_pool(const DataOptions& options);

}  // namespace hindsight
