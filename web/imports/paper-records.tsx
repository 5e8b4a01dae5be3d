import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PaperRecord } from '#shared/contract/paper-records.ts'
import { pages } from '#shared/contract/paths.ts'
import { shortDate } from '#web/lib/dates.ts'
import { importName } from './labels.ts'
import styles from './imports.module.css'
import { paperRecordsQuery } from './queries.ts'

/** The import records of a paper, which show how it came into the project. Renders nothing for a paper without records. */
export function PaperRecords({ documentId, address }: { documentId: string; address: string }) {
  const { data = [] } = useQuery(paperRecordsQuery(documentId))
  if (data.length === 0) return null
  return (
    <section>
      <h2>Records</h2>
      <dl className={styles.paperRecords}>
        {data.map((record) => (
          <div key={record.id}>
            <dt>
              <Link className="text-link" to={pages.import(address, record.import_id)}>
                {importName(record)}
              </Link>
            </dt>
            <dd>
              {shortDate(record.created_at)}
              {detailOf(record)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/**
 * Returns the end of the line about a record: ', joined' if it was recognized as a duplicate of an existing paper, ', record 3'
 * for the third record of a file, else ''.
 */
const detailOf = ({ kind, position, outcome }: PaperRecord) =>
  outcome === 'joined' ? ', joined' : kind === 'file' ? `, record ${position}` : ''
