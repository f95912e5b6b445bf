import { readExpression } from '../expressions/expression.ts'
import { isQuery, readQuery } from '../queries/query.ts'
import { readWith } from '../queries/with.ts'
import { readName } from '../relations/names.ts'
import { type CommonTables, NO_COMMON_TABLES, type ParserContext } from '../relations/parser-context.ts'
import { Scope } from '../relations/scope.ts'
import { readApply, readCopy, readCopyTo, readLoad, readUnload } from './copy.ts'
import { readCreate } from './create.ts'
import { readAlter, readDrop } from './definitions.ts'
import { readDelete } from './delete.ts'
import { readInsert } from './insert.ts'
import { readMerge } from './merge.ts'
import { readMultiInsert } from './multi-insert.ts'
import { writeResult } from './targets.ts'
import { readUpdate } from './update.ts'

export type StatementKind =
  | 'select'
  | 'insert'
  | 'create_table'
  | 'create_view'
  | 'merge'
  | 'update'
  | 'delete'
  | 'copy'
  | 'alter'
  | 'drop'
  | 'truncate'
  | 'call'
  | 'other'

/** Reads one statement into `r.found`. Undefined when its first words are unknown in every dialect. */
export const readStatement = (
  r: ParserContext,
  from: number,
  end: number,
  commons: CommonTables = NO_COMMON_TABLES,
): StatementKind | undefined => {
  const { tokens } = r
  while (end > from && tokens.op(end - 1) === ';') end--
  const word = tokens.word(from)
  switch (word) {
    case 'WITH':
      return readWithStatement(r, from, end, commons)
    case 'INSERT':
    case 'INS':
    case 'UPSERT':
      return readInsert(r, from, end, commons)
    case 'REPLACE':
      return /^(?:VIEW|RECURSIVE|TABLE)$/.test(tokens.word(from + 1))
        ? readCreate(r, from, end, commons)
        : readInsert(r, from, end, commons)
    case 'CREATE':
    case 'CACHE':
      return readCreate(r, from, end, commons)
    case 'MERGE':
      return readMerge(r, from, end, commons)
    case 'UPDATE':
    case 'UPD':
      if (tokens.word(from + 1) === 'STATISTICS' && tokens.findWord(from, end, 'SET') < 0) return 'other'
      return readUpdate(r, from, end, commons)
    case 'DELETE':
    case 'DEL':
      return readDelete(r, from, end, commons)
    case 'COPY':
      return readCopy(r, from, end, commons)
    case 'UNLOAD':
      return readUnload(r, from, end, commons)
    case 'EXPORT':
      return readCopyTo(r, from, end, commons)
    case 'BULK':
    case 'LOAD':
    case 'IMPORT':
      return readLoad(r, from, end)
    case 'ALTER':
      return readAlter(r, from, end, commons)
    case 'DROP':
      return readDrop(r, from, end)
    case 'TRUNCATE':
      return 'truncate'
    case 'FROM': {
      const inserts = readMultiInsert(r, from, end, commons)
      if (inserts) return 'insert'
      break
    }
    case 'APPLY':
      return readApply(r, from, end, commons)
    case 'SET':
    case 'DECLARE':
      if (tokens.word(from + 1) === 'GLOBAL') return readCreate(r, from, end, commons)
      readExpression(r, from + 1, end, new Scope(undefined), { commons })
      // The names of variables are not columns.
      r.found.unresolved.clear()
      return 'other'
    case 'AT': // Vertica: AT EPOCH LATEST SELECT …
    case 'SUBMIT': // StarRocks: SUBMIT TASK name AS INSERT …
      if (!/^(?:EPOCH|TIME|TASK)$/.test(tokens.word(from + 1))) break
      return readInner(r, from, end, commons)
    case 'EXPLAIN':
    case 'LOCKING':
    case 'LOCK':
    case 'DESCRIBE':
    case 'DESC':
    case 'PREPARE':
      return readInner(r, from, end, commons)
    case 'PERFORM': // plpgsql: a query whose rows are discarded
      readQuery(r, from, end, { commons })
      r.found.unresolved.clear()
      return 'other'
    case 'CALL':
    case 'EXEC':
    case 'EXECUTE':
      return 'call'
    case 'PIVOT':
    case 'UNPIVOT':
      if (tokens.isName(from + 1)) return readSelectStatement(r, from, end, commons)
      break
  }
  if (isQuery(r, from, end)) return readSelectStatement(r, from, end, commons)
  const value = assignedValue(r, from, end)
  if (value > 0) {
    readExpression(r, value, end, new Scope(undefined), { commons })
    r.found.unresolved.clear()
    return 'other'
  }
  return NEUTRAL_STATEMENTS.has(word) ? 'other' : undefined
}

/** Where the value of `name := value` starts, or of plpgsql's `name = value`; -1 when this is not an assignment. */
const assignedValue = (r: ParserContext, from: number, end: number): number => {
  const { tokens } = r
  if (!tokens.isName(from) && tokens.kind(from) !== 'param') return -1
  let at = readName(r, from, end).next
  if (tokens.kind(from) === 'param') at = from + 1
  while (tokens.op(at) === '[' || tokens.op(at) === '(') at = tokens.next(at)
  const sign = tokens.op(at)
  return at + 1 < end && (sign === ':=' || (sign === '=' && r.dialect.declareSections)) ? at + 1 : -1
}

/** The statement after words that do not affect what it reads and writes. */
const readInner = (r: ParserContext, from: number, end: number, commons: CommonTables): StatementKind | undefined => {
  const { tokens } = r
  const inner = tokens.find(
    from + 1,
    end,
    (i) =>
      /^(?:SELECT|SEL|WITH|INSERT|UPDATE|DELETE|MERGE|CREATE|REPLACE)$/.test(tokens.word(i)) &&
      (tokens.kind(i + 1) !== 'op' || tokens.op(i + 1) === '*' || tokens.op(i + 1) === '('),
  )
  return inner > 0 ? readStatement(r, inner, end, commons) : 'other'
}

const readSelectStatement = (r: ParserContext, from: number, end: number, commons: CommonTables): StatementKind => {
  const relation = readQuery(r, from, end, { commons })
  writeResult(r, relation, r.found.into)
  return 'select'
}

const readWithStatement = (r: ParserContext, from: number, end: number, commons: CommonTables): StatementKind => {
  const { inner, next } = readWith(r, from, end, { commons })
  if (/^(?:INSERT|UPDATE|DELETE|MERGE|REPLACE|UPSERT)$/.test(r.tokens.word(next)))
    return readStatement(r, next, end, inner.commons) ?? 'other'
  if (r.tokens.word(next) === 'FROM') {
    const inserts = readMultiInsert(r, next, end, inner.commons)
    if (inserts) return 'insert'
  }
  return readSelectStatement(r, next, end, inner.commons)
}

/** Statements that move no data between tables. */
const NEUTRAL_STATEMENTS = new Set(
  `SET USE SHOW GRANT REVOKE DENY COMMIT ROLLBACK BEGIN START END SAVEPOINT RELEASE ANALYZE ANALYSE VACUUM OPTIMIZE REFRESH UNCACHE CLEAR RESET COMMENT RENAME DESCRIBE DESC HELP
  PRAGMA ATTACH DETACH LIST REMOVE PUT GET RM LS ADD MSCK REPAIR KILL FLUSH CHECKPOINT CLUSTER REINDEX LOCK UNLOCK LISTEN NOTIFY UNLISTEN DISCARD DEALLOCATE FETCH MOVE CLOSE OPEN
  PRINT RAISERROR THROW WAITFOR GOTO BACKUP RESTORE DBCC INSTALL CHECK CHECKSUM HANDLER SIGNAL RESIGNAL RETURN EXIT QUIT SUMMARIZE SYSTEM WATCH EXISTS ABORT UNDROP SUSPEND RESUME
  COLLECT DATABASE RECOVER IMPERSONATE FORGET CONNECT CONSUME VALIDATE PURGE NOAUDIT AUDIT ASSOCIATE DISASSOCIATE FLASHBACK EXCHANGE ASSERT RAISE LEAVE ITERATE BREAK CONTINUE
  REORG RUNSTATS QUIESCE INITIALIZE CONVERT FSCK GENERATE PROFILE CANCEL SUBSCRIBE TAIL SECURITY PREPARE DECLARE SECONDARY LET NULL GO DELIMITER SOURCE EXTERNALIZE SHUTDOWN
  CHANGE PAUSE STOP SYNC WARMUP INVALIDATE COMPUTE EXECUTE DIAGNOSTICS TIMING SAVE RECONFIGURE RUN BIND REASSIGN SETUSER HOST WHENEVER SPOOL PROMPT ACCEPT DEFINE UNDEFINE VARIABLE BULK
  ENABLE DISABLE REVERT PROCEDURE DEFAULT OFFLINE ONLINE READTEXT WRITETEXT UPDATETEXT`
    .trim()
    .split(/\s+/),
)

/** Every word a statement may begin with, for the hint on a misspelt one. */
export const STATEMENT_WORDS: readonly string[] = [
  'SELECT',
  'WITH',
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'CREATE',
  'REPLACE',
  'COPY',
  'ALTER',
  'DROP',
  'TRUNCATE',
  'VALUES',
  'FROM',
  'EXPLAIN',
  'CALL',
  'EXECUTE',
  'BEGIN',
  'DECLARE',
  ...NEUTRAL_STATEMENTS,
]
