"""CPU ms sqlglot needs for the whole lineage of each statement, for lineage-engine.ts: JSON in, JSON out.

The quickest way it offers: names are qualified once and every output column is traced in the same scope.
"""
import json
import statistics
import sys
import time

import sqlglot
from sqlglot import exp
from sqlglot.lineage import lineage
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import build_scope


def whole_lineage(sql, schema):
    for statement in sqlglot.parse(sql):
        query = statement
        if isinstance(statement, exp.Insert):
            query = statement.expression
            if statement.args.get("with") or statement.args.get("with_"):
                query.set("with_" if "with_" in statement.args else "with", statement.args.get("with_") or statement.args.get("with"))
        query = qualify(query, schema=schema, validate_qualify_columns=False)
        scope = build_scope(query)
        for column in query.selects:
            lineage(column.alias_or_name, query, scope=scope, trim_selects=False, copy=False)


def reads(one):
    try:
        whole_lineage(one["sql"], one["schema"])
        return True
    except Exception:
        return False


def cpu_ms(one):
    before = time.process_time()
    whole_lineage(one["sql"], one["schema"])
    return (time.process_time() - before) * 1000


asked = json.load(sys.stdin)
for _ in range(asked["warm_up"]):
    readable = [reads(one) for one in asked["statements"]]
times = [
    statistics.median(cpu_ms(one) for _ in range(asked["rounds"])) if is_readable else None
    for one, is_readable in zip(asked["statements"], readable)
]
json.dump({"version": sqlglot.__version__, "times": times}, sys.stdout)
