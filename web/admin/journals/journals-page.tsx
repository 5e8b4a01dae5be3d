import { useTitle } from '#web/lib/use-title.ts'

/** The catalogue of journals and the exclusion list. */
export function JournalsPage() {
  useTitle('Journals')
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>Journals</h1>
      </div>
    </main>
  )
}
