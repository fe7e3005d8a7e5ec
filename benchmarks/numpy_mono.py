#!/usr/bin/python3
"""Mono-Frank-Wolfe (Algorithm 1) in NumPy against hindsight: the same functions, the same orders of the
rounds in a block, the same rewards; how many times the rounds a second?

Twice: as a loop over rounds and steps with vectors over items, as one writes it down from the paper; and
with all rounds of a block at once, which only a simulation can do, since a block's functions come one by one.

usage: benchmarks/numpy_mono.py [ROUNDS]     after a release build
"""

import json
import subprocess
import sys
import time

import numpy as np

import programs


class Coverage:
    """F(x) = sum over things e of w_e (1 - prod of 1 - x_i over the items i that cover e). Takes 1 - x."""

    def __init__(self, weights, sets):
        covers = np.zeros((len(weights), len(sets)))
        for item, things in enumerate(sets):
            covers[things, item] = 1
        covered = covers.any(axis=1)
        self.weights, self.covers = np.array(weights)[covered], covers[covered]
        items = [np.flatnonzero(row) for row in self.covers]
        self.items, self.starts = np.concatenate(items), np.cumsum([0] + [len(i) for i in items[:-1]])

    def missed(self, rest):
        return np.multiply.reduceat(rest[self.items], self.starts)

    def value(self, rest):
        return self.weights @ (1 - self.missed(rest))

    def gradient(self, rest):
        """Iterates before the last stay below 1, so that nothing is divided by 0."""
        return (self.weights * self.missed(rest)) @ self.covers / rest


def clip(y):
    """y.clip(0, 1) does the same with five times the overhead."""
    return np.minimum(np.maximum(y, 0), 1)


def project(y, rank):
    """The nearest point of { 0 <= x <= 1, sum x <= rank }: clip(y - tau, 0, 1), where the sum is piecewise
    linear in tau and bends at y and y - 1."""
    x = clip(y)
    if x.sum() <= rank:
        return x
    bends = np.concatenate((y - 1, y))
    order = bends.argsort()[::-1]
    bends = bends[order]
    slopes = np.where(order < y.size, -1, 1).cumsum()
    sums = np.concatenate(([0], (slopes[:-1] * (bends[:-1] - bends[1:])).cumsum()))
    last = sums.searchsorted(rank) - 1  # sums rise from the largest tau to the smallest
    return clip(y - (bends[last] - (rank - sums[last]) / slopes[last]))


def play_rounds(game):
    """Round by round, oracle by oracle."""
    d, rank, K, T = game["dimension"], game["rank"], game["steps"], game["rounds"]
    pool = [Coverage(**f) for f in game["pool"]]
    functions = [pool[n] for n in game["drawn"]]
    rho, diameter = game["averaging"], game["diameter"]
    v = np.full((K, d), rank / d)
    squares = [0.0] * K
    g = np.empty((K, d))
    rewards = np.empty(T)
    start = time.process_time()
    t = 0
    for order in game["orders"]:
        rest = 1 - np.vstack((np.zeros(d), v.cumsum(axis=0) / K))  # 1 - x^(1), ..., 1 - x^(K+1)
        steps = np.argsort(order)
        for k in steps:
            rewards[t] = functions[t].value(rest[K])
            g[k] = functions[t].gradient(rest[k])
            t += 1
        average = np.zeros(d)
        for k in range(K):
            average += rho[k] * (g[k] - average)
            squares[k] += average @ average
            v[k] = project(v[k] + diameter / (2 * squares[k]) ** 0.5 * average, rank)
    for t in range(t, T):  # fewer than a block: they play the last point
        rewards[t] = functions[t].value(rest[K])
    return rewards, time.process_time() - start


def project_rows(y, rank):
    """`project` of every row, by Newton's method inside a bracket on those rows that are not there yet."""
    low, high = np.zeros(len(y)), y.max(axis=1)
    tau = np.zeros(len(y))
    rows = np.flatnonzero(clip(y).sum(axis=1) > rank)
    while rows.size:
        shifted = y[rows] - tau[rows, None]
        excess = clip(shifted).sum(axis=1) - rank
        low[rows] = np.where(excess > 0, tau[rows], low[rows])
        high[rows] = np.where(excess < 0, tau[rows], high[rows])
        slope = np.count_nonzero((shifted > 0) & (shifted < 1), axis=1)
        newton = tau[rows] + excess / np.maximum(slope, 1)
        inside = (slope > 0) & (newton > low[rows]) & (newton < high[rows])
        going = np.abs(excess) > 1e-13
        tau[rows] = np.where(going, np.where(inside, newton, (low[rows] + high[rows]) / 2), tau[rows])
        rows = rows[going]
    return clip(y - tau[:, None])


def play_blocks(game):
    """Block by block."""
    d, rank, K, T = game["dimension"], game["rank"], game["steps"], game["rounds"]
    pool = [Coverage(**f) for f in game["pool"]]
    drawn, rho = np.array(game["drawn"]), game["averaging"]
    most = max(len(f.weights) for f in pool)
    weights, covers = np.zeros((len(pool), most)), np.zeros((len(pool), most, d))
    for n, f in enumerate(pool):
        weights[n, : len(f.weights)], covers[n, : len(f.weights)] = f.weights, f.covers
    v = np.full((K, d), rank / d)
    squares = np.zeros(K)
    average = np.empty((K, d))
    rewards = np.empty(T)
    start = time.process_time()
    t = 0
    for order in game["orders"]:
        rest = 1 - np.vstack((np.zeros(d), v.cumsum(axis=0) / K))
        values = np.einsum("pe,pe->p", weights, 1 - np.where(covers, rest[K], 1).prod(axis=2))
        rewards[t : t + K] = values[drawn[t : t + K]]
        told = drawn[np.array(order) - 1]
        cover = covers[told]
        missed = np.where(cover, rest[:K, None, :], 1).prod(axis=2)
        g = ((weights[told] * missed)[:, None, :] @ cover)[:, 0, :] / rest[:K]
        last = np.zeros(d)
        for k in range(K):
            last = last + rho[k] * (g[k] - last)
            average[k] = last
        squares += np.einsum("kd,kd->k", average, average)
        v = project_rows(v + (game["diameter"] / np.sqrt(2 * squares))[:, None] * average, rank)
        t += K
    values = np.einsum("pe,pe->p", weights, 1 - np.where(covers, rest[K], 1).prod(axis=2))
    rewards[t:] = values[drawn[t:]]
    return rewards, time.process_time() - start


def compare(rounds, goes=3):
    """Plays `rounds` rounds here and there, in turn; the best of each counts."""
    best = {}
    difference = 0.0
    for _ in range(goes):
        exported = subprocess.run([programs.BUILD / "benchmarks/mono_game", str(rounds)], check=True,
                                  capture_output=True, text=True).stdout
        game = json.loads(exported)
        seconds = {"hindsight": game["seconds"]}
        for name, play in (("rounds", play_rounds), ("blocks", play_blocks)):
            rewards, seconds[name] = play(game)
            difference = max(difference, float(np.abs(rewards - game["rewards"]).max()))
        for name, taken in seconds.items():
            best[name] = min(taken, best.get(name, taken))
    result = {"hindsight_ns": 1e9 * best["hindsight"] / rounds, "difference": difference}
    for name in ("rounds", "blocks"):
        result[name] = {"ns": 1e9 * best[name] / rounds, "times": best[name] / best["hindsight"]}
    return result


if __name__ == "__main__":
    found = compare(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    print(f"hindsight {found['hindsight_ns']:.3g} ns a round")
    for way in ("rounds", "blocks"):
        print(f"NumPy by {way} {found[way]['ns'] / 1e3:.3g} us: hindsight {found[way]['times']:.3g} times")
    print(f"rewards differ by at most {found['difference']:.2g}")
    sys.exit(0 if found["difference"] <= 1e-9 else 1)
