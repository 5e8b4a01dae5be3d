import { useTitle } from '#web/lib/use-title.ts'

/** One journal of the catalogue. */
export function JournalPage({ id }: { id: string }) {
  useTitle('Journal')
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>Journal</h1>
      </div>
      <p className="quiet">{id}</p>
    </main>
  )
}
