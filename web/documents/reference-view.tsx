import { type DocumentDetail, documentTitle } from '#shared/contract/documents.ts'
import type { Project } from '#shared/contract/projects.ts'
import { typeLabel } from '#web/lib/reference-types.ts'
import { PageHead, SectionRow } from '#web/ui/page.tsx'
import documentStyles from './document.module.css'
import { type FieldName, labelOf, partsOf } from './reference-fields.ts'
import { textOfValue, valuesOf } from './reference-values.ts'
import { ReferenceAside } from './reference-aside.tsx'
import styles from './reference.module.css'

/** The bibliographic fields of a document that have a value, for members who may not edit. */
export function ReferenceView({ document, project }: { document: DocumentDetail; project: Project }) {
  const values = valuesOf(document.reference)
  const text = (name: FieldName) => textOfValue(values[name], name)
  const { parts, more } = partsOf(values.type, (name) => text(name) !== '')
  const shown = [...parts, { title: 'More fields', names: more }]
    .map(({ title, names }) => ({ title, names: names.filter((name) => text(name) !== '') }))
    .filter(({ names }) => names.length > 0)
  return (
    <>
      <PageHead>
        <h1>Reference</h1>
      </PageHead>
      <p className="text-muted-foreground mb-4 wrap-anywhere">{documentTitle(document)}</p>
      <div className={documentStyles.reading}>
        <div>
          <SectionRow>
            <h2>Type</h2>
            <p>{typeLabel(values.type)}</p>
          </SectionRow>
          {shown.map(({ title, names }) => (
            <SectionRow key={title}>
              <h2>{title}</h2>
              <dl className={styles.values}>
                {names.map((name) => (
                  <div key={name}>
                    <dt>{labelOf(name, values.type)}</dt>
                    <dd>{text(name)}</dd>
                  </div>
                ))}
              </dl>
            </SectionRow>
          ))}
        </div>
        <ReferenceAside document={document} reference={document.reference} project={project} changed={[]} />
      </div>
    </>
  )
}
