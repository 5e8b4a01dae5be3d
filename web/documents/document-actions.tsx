import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, MessageSquareText } from 'lucide-react'
import { useState } from 'react'
import { documentTitle } from '#shared/documents.ts'
import type { DocumentDetail } from '#shared/documents.ts'
import type { Job } from '#shared/jobs.ts'
import { hasWords } from '#shared/page-text.ts'
import { pages } from '#shared/paths.ts'
import type { Prompt } from '#shared/prompts.ts'
import { PromptDialog } from '#web/analysis/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { confirmAndDelete } from './delete-documents.ts'
import { analyze, vectorize } from './document-work.ts'
import { ExtractionDialog } from './extraction-dialog.tsx'

/** What can be done with one document. The chat is the primary action, once the document is vectorised. */
export function DocumentActions({
  document,
  projectName,
  jobs,
}: {
  document: DocumentDetail
  projectName: string
  jobs: readonly Job[]
}) {
  const navigate = useNavigate()
  const [extracting, setExtracting] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [starting, setStarting] = useState(false)
  const running = (...kinds: Job['kind'][]) => jobs.find((job) => kinds.includes(job.kind))
  const readable = hasWords(document.extracted_text)
  const analyzing = starting || running('analyze') !== undefined

  const startAnalysis = (prompt: Prompt) => {
    setStarting(true)
    void analyze(document, prompt).finally(() => {
      setStarting(false)
      setChoosing(false)
    })
  }
  const remove = async () => {
    if (await confirmAndDelete(document)) void navigate({ to: pages.documents(projectName) })
  }
  return (
    <div className="end">
      <Button disabled={document.source_url === null} onClick={() => setExtracting(true)}>
        Extract Text
      </Button>
      <Button disabled={!readable} onClick={() => setChoosing(true)}>
        {document.analyzed_at ? 'Re-analyze' : 'Analyze'}
      </Button>
      <Menu
        trigger={
          <Button disabled={!readable || running('vectorize') !== undefined}>
            Vectorise
            <ChevronDown className="ic tail" aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => void vectorize(document.id, false)}>Vectorize</MenuItem>
        <MenuItem onSelect={() => void vectorize(document.id, true)}>Force Re-vectorize</MenuItem>
      </Menu>
      <Menu
        trigger={
          <Button>
            Actions
            <ChevronDown className="ic tail" aria-hidden />
          </Button>
        }
      >
        <MenuItem asChild>
          <Link to={pages.documentEdit(projectName, document.id)}>Edit document</Link>
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => void remove()}>
          Delete document
        </MenuItem>
      </Menu>
      {document.vectorized_at ? (
        <span className="dock">
          <Button asChild variant="primary">
            <Link to={pages.chat(projectName, document.id)}>
              <MessageSquareText className="ic" aria-hidden />
              Chat with PDF
            </Link>
          </Button>
        </span>
      ) : null}
      <ExtractionDialog
        document={document}
        job={running('ocr', 'extract')}
        open={extracting}
        onOpenChange={setExtracting}
      />
      <PromptDialog
        open={choosing}
        onOpenChange={setChoosing}
        about={documentTitle(document)}
        busy={analyzing}
        onStart={startAnalysis}
      />
    </div>
  )
}
