import { DEFAULT_MODEL, modelName } from '#shared/contract/prompts.ts'
import type { Prompt } from '#shared/contract/prompts.ts'
import { LoadingRows } from '#web/admin/index.ts'
import { shortDate } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { ActionsHead, cells, DataTable } from '#web/ui/data-table.tsx'
import { Badge } from '#web/ui/marks.tsx'
import styles from './prompts.module.css'

interface RowActions {
  onEdit: (prompt: Prompt) => void
  onVersions: (prompt: Prompt) => void
  onDelete: (prompt: Prompt) => void
}

/** The table of prompts: name and beginning of the text, model, version and actions. */
export function PromptsTable({ rows, ...actions }: RowActions & { rows: readonly Prompt[] | undefined }) {
  return (
    <DataTable className={styles.promptsTable} aria-busy={rows === undefined}>
      <thead>
        <tr>
          <th scope="col">Prompt</th>
          <th scope="col">Model</th>
          <th scope="col">Version</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {rows === undefined ? (
          <LoadingRows columns={4} rows={4} />
        ) : (
          rows.map((prompt) => <PromptRow key={prompt.id} prompt={prompt} {...actions} />)
        )}
      </tbody>
    </DataTable>
  )
}

function PromptRow({ prompt, onEdit, onVersions, onDelete }: RowActions & { prompt: Prompt }) {
  return (
    <tr>
      <td className={cells.wide}>
        <b>{prompt.name}</b> {prompt.default ? <Badge>Default</Badge> : null}
        {prompt.description ? <p>{prompt.description}</p> : null}
        <p className="line-clamp-2 max-w-160 font-serif text-sm italic">{prompt.prompt}</p>
      </td>
      <td>{prompt.model === DEFAULT_MODEL.id ? DEFAULT_MODEL.name : modelName(prompt.model)}</td>
      <td className="tabular-nums lining-nums whitespace-nowrap" data-label="Version">
        {prompt.version}, {shortDate(prompt.updated_at)}
      </td>
      <td className={cn(styles.endCell, cells.end, 'whitespace-nowrap')}>
        <Button variant="ghost" size="sm" aria-label={`Edit ${prompt.name}`} onClick={() => onEdit(prompt)}>
          Edit
        </Button>
        <Button variant="ghost" size="sm" aria-label={`Versions of ${prompt.name}`} onClick={() => onVersions(prompt)}>
          Versions
        </Button>
        <Button variant="ghost" size="sm" aria-label={`Delete ${prompt.name}`} onClick={() => onDelete(prompt)}>
          Delete
        </Button>
      </td>
    </tr>
  )
}
