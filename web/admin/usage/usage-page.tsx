import { useTitle } from '#web/lib/use-title.ts'

/** Tokens, cost and storage. */
export function UsagePage() {
  useTitle('API Usage & Costs')
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>API Usage & Costs</h1>
      </div>
    </main>
  )
}
