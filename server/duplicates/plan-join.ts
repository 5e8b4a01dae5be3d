import { isSameValue } from '#server/lib/stale-change.ts'
import type { StoredJoin } from '#server/db/stored-duplicates.ts'
import {
  JOINED_COLUMNS,
  type JoinedChange,
  type JoinedColumn,
  nameInApi,
  type StoredDocument,
} from '#server/documents/index.ts'
import { areEditedByJoins, ownKeywords, without } from './joined-keywords.ts'
import type { JoinedField } from '#shared/contract/duplicates.ts'
import { type EditedField, isCheckedField } from '#shared/contract/documents.ts'
import { isEmpty } from '#shared/references/is-empty.ts'

/** The columns of a paper that `planJoin` reads to plan a join (a merge of duplicate papers). */
export type JoinablePaper = Pick<
  StoredDocument,
  'id' | 'created_at' | 'source_url' | 'text_version' | 'reference' | 'keywords' | 'edited_fields' | JoinedColumn
>

type Planned = Pick<StoredJoin, 'columns' | 'reference' | 'keywords' | 'own_keywords' | 'edited_fields'>

/**
 * How a join (a merge of duplicate papers) changes the paper that is kept. `change` is the whole change. `byPaper` divides it
 * by the id of the joined paper from which the values come, so that each join can be undone separately.
 */
export interface JoinPlan {
  change: JoinedChange
  byPaper: Map<string, Planned>
}

/**
 * The columns that describe an analysis, such as its model. They are copied only together, because they belong to the same
 * analysis.
 */
const ANALYSIS = [
  'analyzed_at',
  'analysis_model',
  'analysis_prompt',
  'analysis_prompt_version',
  'analysis_prompt_version_id',
] as const
const STATEMENTS = ['summary', 'lifestyle_recommendations', 'evidence_level', 'social_post', 'insights'] as const
/**
 * The columns of a paper without a value that get the first value of the joined papers. Every join with a value stores it, so
 * that the undo of one join uses the value of the next.
 */
const FILLED = new Set<JoinedColumn>(['metadata_checked_at', 'retracted', 'semantic_paperid'])
const OWN_FIELDS: ReadonlySet<string> = new Set(['id', 'citation-key'])

/**
 * Returns the paper that a join (a merge of duplicate papers) keeps: the paper with a file, else the paper with the most filled
 * fields, else the oldest. Null if several papers have a file.
 */
export function paperToKeep<Paper extends JoinablePaper>(papers: readonly Paper[]): Paper | null {
  const withFile = papers.filter(({ source_url }) => source_url !== null)
  if (withFile.length > 1) return null
  return withFile[0] ?? papers.toSorted((a, b) => filled(b) - filled(a) || (isBefore(a, b) ? -1 : 1))[0]!
}

const isBefore = (a: JoinablePaper, b: JoinablePaper) =>
  a.created_at === b.created_at ? a.id < b.id : a.created_at < b.created_at
const filled = (paper: JoinablePaper) =>
  Object.values(paper.reference).filter((value) => !isEmpty(value)).length +
  STATEMENTS.filter((column) => !isEmpty(paper[column])).length

/**
 * Plans how the paper `kept` changes when the duplicates `others` are joined with it (merged into it). `fields` maps a field of
 * the reference to the id of the paper whose value is stored. Any other field keeps its value; an empty field gets the first
 * value of `others`. The statements of an analysis (such as the summary) also fill only empty columns, and the data about the
 * analysis are copied only if `kept` was not analyzed. A value that a user chose or typed counts as edited. `earlier` are the
 * joins into `kept` that were not undone; they show which values `kept` has only because of a join.
 */
export function planJoin(
  kept: JoinablePaper,
  others: readonly JoinablePaper[],
  fields: Readonly<Partial<Record<JoinedField, string>>>,
  earlier: readonly StoredJoin[],
): JoinPlan {
  const own_keywords = ownKeywords(kept.keywords, earlier)
  const byPaper = new Map<string, Planned>(
    others.map(({ id }) => [id, { columns: {}, reference: {}, keywords: [], own_keywords, edited_fields: [] }]),
  )
  const edited = new Set<EditedField>(kept.edited_fields)
  const keywords = [...kept.keywords]
  const areOwnEdits = kept.edited_fields.includes('keywords') && !areEditedByJoins(keywords, earlier)
  const references: Record<string, unknown> = {}
  const columns: Partial<Record<JoinedColumn, unknown>> = {}
  let restPassages = kept.passages

  const setEdited = (name: EditedField | undefined, source: JoinablePaper) => {
    if (name === undefined || edited.has(name)) return
    edited.add(name)
    byPaper.get(source.id)!.edited_fields.push(name)
  }
  const setColumn = (column: JoinedColumn, value: unknown, source: JoinablePaper) => {
    if (isSameValue(value, kept[column])) return
    columns[column] = value
    byPaper.get(source.id)!.columns[column] = { before: kept[column], after: value }
  }

  const fillColumn = (column: JoinedColumn, source: JoinablePaper) => {
    const joins = earlier.flatMap((join) => join.columns[column] ?? [])
    const joined = joins.find(({ after }) => isSameValue(after, kept[column]))
    // The value of the paper without its joins.
    const before = joined ? joined.before : kept[column]
    if (before || !source[column]) return
    byPaper.get(source.id)!.columns[column] = { before, after: source[column] }
    if (!kept[column]) columns[column] ??= source[column]
  }

  const papers = [kept, ...others]
  const names = new Set(
    papers.flatMap(({ reference }) => Object.keys(reference)).filter((name) => !OWN_FIELDS.has(name)),
  )
  for (const name of names) {
    const valueOf = ({ reference }: JoinablePaper) => reference[name as JoinedField] ?? null
    const chosen = fields[name as JoinedField]
    const source =
      chosen === undefined
        ? (papers.find((paper) => !isEmpty(valueOf(paper))) ?? kept)
        : papers.find(({ id }) => id === chosen)!
    if (source === kept || isSameValue(valueOf(source), valueOf(kept))) continue
    const own = nameInApi(name)
    const passages = kept.passages.filter(({ field }) => field === own)
    restPassages = restPassages.filter(({ field }) => field !== own)
    references[name] = valueOf(source)
    byPaper.get(source.id)!.reference[name] = {
      before: valueOf(kept),
      after: valueOf(source),
      ...(passages.length > 0 ? { passages, text_version: kept.text_version } : {}),
    }
    if (chosen !== undefined || (own && source.edited_fields.includes(own))) setEdited(own, source)
    if (name === 'container-title') setColumn('journal_id', source.journal_id, source)
    if (isCheckedField(own)) fillColumn('metadata_checked_at', source)
  }
  // The passages of replaced values are removed.
  if (restPassages.length < kept.passages.length) columns.passages = restPassages
  const analyzed = kept.analyzed_at === null ? others.find(({ analyzed_at }) => analyzed_at !== null) : undefined
  for (const column of STATEMENTS) {
    const source = isEmpty(kept[column]) ? others.find((paper) => !isEmpty(paper[column])) : undefined
    if (!source) continue
    setColumn(column, source[column], source)
    if (source.edited_fields.includes(column)) setEdited(column, source)
  }
  if (analyzed) for (const column of ANALYSIS) setColumn(column, analyzed[column], analyzed)
  for (const source of others) {
    fillColumn('retracted', source)
    fillColumn('semantic_paperid', source)
    const joined = without(source.keywords, own_keywords)
    keywords.push(...without(joined, keywords))
    const planned = byPaper.get(source.id)!
    planned.keywords = joined
    if (joined.length > 0 && source.edited_fields.includes('keywords') && !areOwnEdits) {
      edited.add('keywords')
      planned.edited_fields.push('keywords')
    }
  }
  return { change: { reference: references, columns, keywords, edited_fields: [...edited] }, byPaper }
}

/**
 * Returns the change that undoes a join (a merge of duplicate papers): every field that still has the value set by the join
 * gets its value before the join. `others` are the other joins of the paper that were not undone, oldest first. Keywords that
 * one of them also added stay. A column of FILLED (such as the retraction) gets the value that the oldest of them stored.
 */
export function planUndo(now: JoinablePaper, undo: StoredJoin, others: readonly StoredJoin[]): JoinedChange {
  const replaced = Object.entries(undo.reference).filter(([name, { after }]) =>
    isSameValue(now.reference[name as JoinedField], after),
  )
  // An analysis since the join has equal values where it found the same.
  const isAnalyzedSince =
    undo.columns.analyzed_at !== undefined && !isSameValue(now.analyzed_at, undo.columns.analyzed_at.after)
  const analyzed = new Set<string>(isAnalyzedSince ? [...ANALYSIS, ...STATEMENTS] : [])
  const columns = Object.fromEntries(
    JOINED_COLUMNS.filter((column) => {
      const changed = undo.columns[column]
      return changed && !analyzed.has(column) && isSameValue(now[column], changed.after)
    }).map((column) => {
      const [next] = FILLED.has(column) ? others.flatMap((join) => join.columns[column] ?? []) : []
      return [column, next ? next.after : undo.columns[column]!.before]
    }),
  )
  const restored = new Set([...replaced.map(([name]) => nameInApi(name)), ...Object.keys(columns)])
  // The passages of a restored value replace those of the value of the join.
  const passages = [
    ...now.passages.filter(({ field }) => !restored.has(field)),
    ...replaced.flatMap(([, field]) => (field.text_version === now.text_version ? (field.passages ?? []) : [])),
  ]
  const areOfThisJoin =
    areEditedByJoins(now.keywords, [undo, ...others]) &&
    !others.some(({ edited_fields }) => edited_fields.includes('keywords'))
  return {
    reference: Object.fromEntries(replaced.map(([name, { before }]) => [name, before])),
    columns: isSameValue(passages, now.passages) ? columns : { ...columns, passages },
    keywords: without(
      now.keywords,
      without(
        undo.keywords,
        others.flatMap(({ keywords }) => keywords),
      ),
    ),
    edited_fields: now.edited_fields.filter((name) => {
      const isEnded = name === 'keywords' ? areOfThisJoin : restored.has(name)
      return !(undo.edited_fields.includes(name) && isEnded)
    }),
  }
}

/**
 * Adapts the stored values of the join (merge of duplicates) `later` when an earlier join of the same paper, `undone`, is
 * undone. Returns the values that the undo of `later` restores from then on: the values of the paper before both joins.
 */
export function withoutUndone(later: StoredJoin, undone: StoredJoin): StoredJoin {
  const rest = (own: StoredJoin['columns'], former: StoredJoin['columns']) =>
    Object.fromEntries(
      Object.entries(own).map(([name, value]) => {
        const first = former[name]
        return [name, first && isSameValue(value.before, first.after) ? { ...first, after: value.after } : value]
      }),
    )
  // Fields that both joins changed count as edited by the later one now.
  const changed = new Set([...Object.keys(later.reference).map(nameInApi), ...Object.keys(later.columns)])
  const names = undone.edited_fields.filter((name) => changed.has(name as EditedField))
  return {
    ...later,
    columns: rest(later.columns, undone.columns),
    reference: rest(later.reference, undone.reference),
    edited_fields: [...new Set([...later.edited_fields, ...names])],
  }
}
