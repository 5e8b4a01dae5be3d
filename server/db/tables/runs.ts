import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { RUN_KINDS } from '#shared/contract/address-values.ts'
import { RUN_STATUSES, RUN_VIAS, type RunInput, type RunValue } from '#shared/contract/runs.ts'
import { isoTime, ownerId, stringList } from '../columns.ts'
import { user } from './auth.ts'
import { projects } from './projects.ts'
import { promptVersions } from './prompts.ts'

/**
 * Runs: the records of the analyses of papers and of the answers to questions in a project, each with its input and output.
 * Only the server writes rows. A trigger prevents changes of a run that has ended. The trigger also prevents the deletion of a
 * run, except with its project.
 */
export const runs = pgTable(
  'runs',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The number of the run (a recorded analysis or answer) in its project, counted from 1. */
    number: integer('number').notNull(),
    created_by: ownerId().references(() => user.id, { onDelete: 'set null' }),
    via: text('via', { enum: RUN_VIAS }).notNull(),
    /**
     * The API key of the request. `key_name` is its name at the start of the run (a recorded analysis or answer). Null after
     * the account is deleted.
     */
    key_id: uuid('key_id'),
    key_name: text('key_name'),
    kind: text('kind', { enum: RUN_KINDS }).notNull(),
    /** The question, or the title of the paper. */
    title: text('title').notNull(),
    /** True if other members of the project cannot see the run (a recorded analysis or answer). */
    is_private: boolean('is_private').notNull().default(false),
    model: text('model').notNull(),
    model_settings: jsonb('model_settings').$type<Record<string, unknown>>().notNull(),
    prompt_version_id: uuid('prompt_version_id').references(() => promptVersions.id, { onDelete: 'set null' }),
    prompt_text: text('prompt_text').notNull(),
    /** SHA-256 of the prompt text, in hexadecimal digits. */
    prompt_text_hash: text('prompt_text_hash').notNull(),
    code_version: text('code_version').notNull(),
    input: jsonb('input').$type<RunInput>().notNull(),
    /** SHA-256 of everything that determines the output: see server/runs/hash-input.ts. */
    input_hash: text('input_hash').notNull(),
    papers: integer('papers').generatedAlwaysAs(sql`jsonb_array_length(input -> 'documents')`),
    status: text('status', { enum: RUN_STATUSES }).notNull().default('running'),
    error: text('error'),
    started_at: isoTime('started_at')
      .notNull()
      .default(sql`now()`),
    /** The server that executes the run (a recorded analysis or answer) sets this time every 30 seconds. */
    alive_at: isoTime('alive_at')
      .notNull()
      .default(sql`now()`),
    ended_at: isoTime('ended_at'),
    tokens_in: integer('tokens_in').notNull().default(0),
    tokens_out: integer('tokens_out').notNull().default(0),
    cost_usd: doublePrecision('cost_usd').notNull().default(0),
    /** True if the output was taken from the run (a recorded analysis or answer) `source_id`: no model was called. */
    cached: boolean('cached').notNull().default(false),
    source_id: uuid('source_id').references((): AnyPgColumn => runs.id),
    /**
     * The output of the model; `findStoredOutput` returns it for a later run (a recorded analysis or answer) with the same
     * input. Null while the run is running, and if its output was taken from another run.
     */
    output: jsonb('output').$type<unknown>(),
    values: jsonb('values').$type<RunValue[]>(),
  },
  (table) => [
    uniqueIndex('runs_number').on(table.project_id, table.number),
    index('runs_input')
      .on(table.project_id, table.input_hash)
      .where(sql`status = 'completed' and not cached`),
    index('runs_kind').on(table.project_id, table.kind, table.number),
    index('runs_created_by').on(table.created_by, table.project_id),
    index('runs_prompt_version').on(table.prompt_version_id),
    index('runs_source').on(table.source_id),
    index('runs_running')
      .on(table.alive_at)
      .where(sql`status = 'running'`),
    check('runs_known_kind', sql`kind in (${stringList(RUN_KINDS)})`),
    check(
      'runs_known_status',
      sql`status in (${stringList(RUN_STATUSES)}) and (status = 'running') = (ended_at is null)`,
    ),
    check('runs_source_of_stored', sql`cached = (source_id is not null)`),
  ],
)
