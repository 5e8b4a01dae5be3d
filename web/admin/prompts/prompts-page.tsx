import { useTitle } from '#web/lib/use-title.ts'

/** The prompts that analyses use. */
export function PromptsPage() {
  useTitle('Prompt Library')
  return (
    <main className="page">
      <div className="head mt-3">
        <h1>Prompt Library</h1>
      </div>
    </main>
  )
}
