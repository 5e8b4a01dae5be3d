import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Reference } from '#shared/contract/references.ts'
import { CitationPreview } from '#web/citations/index.ts'
import { PaperRecords } from '#web/imports/index.ts'
import { useSite } from '#web/lib/site.ts'
import documentStyles from './document.module.css'

/** The column beside the reference of a document: its citation, the fields that users changed, and its import records. */
export function ReferenceAside({
  document,
  reference,
  project,
  changed,
}: {
  document: DocumentDetail
  /** The reference with the unsaved edits of the form. */
  reference: Reference
  project: Project
  /** Labels of the fields that users changed. */
  changed: readonly string[]
}) {
  const { citations } = useSite()
  return (
    <aside className={documentStyles.marginColumn} aria-label="About this reference">
      {citations ? (
        <section>
          <h2>As it will be cited</h2>
          <CitationPreview reference={reference} project={project} />
        </section>
      ) : null}
      {changed.length > 0 ? (
        <section>
          <h2>Changed by hand</h2>
          <p className="text-muted-foreground text-meta">
            {changed.join(', ')}. No import, look-up or analysis overwrites {changed.length === 1 ? 'it' : 'them'}{' '}
            without asking.
          </p>
        </section>
      ) : null}
      <PaperRecords documentId={document.id} address={project.address} />
    </aside>
  )
}
