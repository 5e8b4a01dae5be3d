import { copyText } from '#web/lib/copy-text.ts'
import { Button } from '#web/ui/button.tsx'
import { fetchExport } from './queries.ts'

const FORMATS = [
  ['bibtex', 'BibTeX'],
  ['ris', 'RIS'],
] as const

/** Buttons that copy the reference of a paper as text. */
export function CopyAs({ id, projectId }: { id: string; projectId: string | null }) {
  return FORMATS.map(([format, label]) => {
    const copy = async () => {
      const { blob } = await fetchExport({ project_id: projectId, ids: [id], format })
      return (await blob.text()).trim()
    }
    return (
      <Button key={format} size="sm" onClick={() => void copyText(copy(), `Copied as ${label}`)}>
        Copy as {label}
      </Button>
    )
  })
}
