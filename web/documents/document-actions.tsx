import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, MessageSquareText } from 'lucide-react'
import { Suspense, useState } from 'react'
import { documentTitle } from '#shared/contract/documents.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { JOB_PAUSED, type Job } from '#shared/contract/jobs.ts'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Prompt } from '#shared/contract/prompts.ts'
import { hasWords } from '#shared/pdf-text/page-text.ts'
import { CiteButton } from '#web/citations/index.ts'
import { LazyPromptDialog } from '#web/analysis/index.ts'
import { analyze, analyzedFields, EditedFields, LazyExtractionDialog, vectorize } from '#web/processing/index.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { useMay } from '#web/lib/rights.tsx'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { confirmAndDelete } from './delete-documents.ts'
import styles from './document.module.css'
import { readsAbstract } from './reads-abstract.ts'

const CopyDialog = lazyPart(() => import('./copy-dialog.tsx').then((file) => file.CopyDialog))

/** Actions of a document. The next step is the primary button: extract, analyze, vectorize, then chat. */
export function DocumentActions({
  document,
  project,
  jobs,
  onRead,
}: {
  document: DocumentDetail
  project: Project
  jobs: readonly Job[]
  /** Opens the reader beside the document. */
  onRead: () => void
}) {
  const { address } = project
  const navigate = useNavigate()
  const mayEdit = useMay('edit')
  const mayAsk = useMay('ask')
  const [extracting, setExtracting] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [copying, setCopying] = useState(false)
  const [starting, setStarting] = useState(false)
  const [replacing, setReplacing] = useState(false)
  const edited = analyzedFields(document.edited_fields)
  // A request starts a step that is paused.
  const running = (...kinds: Job['kind'][]) =>
    jobs.find((job) => kinds.includes(job.kind) && job.progress_text !== JOB_PAUSED)
  const hasText = hasWords(document.extracted_text)
  const readable = hasText || readsAbstract(document)
  // The chat with one paper answers from its text. Answers over the project read an abstract too.
  const mayChat = mayAsk && hasText && document.vectorized_at !== null
  const next = document.vectorized_at ? 'chat' : !readable ? 'extract' : document.analyzed_at ? 'vectorize' : 'analyze'
  const as = (step: typeof next) => (step === next ? 'primary' : 'outline')
  const analyzing = starting || running('analyze') !== undefined

  const choosePrompt = () => {
    setReplacing(false)
    setChoosing(true)
  }
  const startAnalysis = (prompt: Prompt) => {
    setStarting(true)
    void analyze(document, prompt, replacing ? edited : []).finally(() => {
      setStarting(false)
      setChoosing(false)
    })
  }
  const remove = async () => {
    if (await confirmAndDelete(document)) void navigate({ to: pages.documents(address) })
  }
  return (
    <div className={styles.actions}>
      <CiteButton document={document} project={project} />
      <Button asChild>
        <Link to={pages.documentReference(address, document.id)}>Reference</Link>
      </Button>
      {document.source_url === null ? null : (
        <Button variant="ghost" onClick={onRead}>
          Read the PDF
        </Button>
      )}
      {mayEdit ? (
        <>
          <Button variant={as('extract')} disabled={document.source_url === null} onClick={() => setExtracting(true)}>
            Extract Text
          </Button>
          <Button variant={as('analyze')} disabled={!readable} onClick={choosePrompt}>
            {document.analyzed_at ? 'Re-analyze' : 'Analyze'}
          </Button>
          <Menu
            trigger={
              <Button variant={as('vectorize')} disabled={!readable || running('vectorize') !== undefined}>
                Vectorise
                <ChevronDown className={styles.trailingIcon} data-trailing aria-hidden />
              </Button>
            }
          >
            <MenuItem onSelect={() => void vectorize(document.id, false)}>Vectorize</MenuItem>
            <MenuItem onSelect={() => void vectorize(document.id, true)}>Force Re-vectorize</MenuItem>
          </Menu>
        </>
      ) : null}
      <Menu
        trigger={
          <Button>
            Actions
            <ChevronDown className={styles.trailingIcon} data-trailing aria-hidden />
          </Button>
        }
      >
        {document.source_url === null ? null : (
          <MenuItem asChild>
            <a href={api.documentFile(document.id)} download={document.filename}>
              Download the PDF
            </a>
          </MenuItem>
        )}
        <MenuItem onSelect={() => setCopying(true)}>Copy to project…</MenuItem>
        {mayChat ? null : (
          <MenuItem asChild>
            <Link to={pages.chat(address, document.id)}>Conversations</Link>
          </MenuItem>
        )}
        {mayEdit ? (
          <>
            <MenuSeparator />
            <MenuItem asChild>
              <Link to={pages.documentEdit(address, document.id)}>Edit document</Link>
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger onSelect={() => void remove()}>
              Delete document
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {copying ? (
        <Suspense>
          <CopyDialog rows={[document]} onClose={() => setCopying(false)} />
        </Suspense>
      ) : null}
      {mayChat ? (
        <span className={styles.bottomBar}>
          <Button asChild variant="primary">
            <Link to={pages.chat(address, document.id)}>
              <MessageSquareText aria-hidden />
              Chat with PDF
            </Link>
          </Button>
        </span>
      ) : null}
      {mayEdit ? (
        <>
          <LazyExtractionDialog
            document={document}
            job={running('ocr', 'extract')}
            open={extracting}
            onOpenChange={setExtracting}
          />
          <LazyPromptDialog
            open={choosing}
            onOpenChange={setChoosing}
            about={documentTitle(document)}
            busy={analyzing}
            onStart={startAnalysis}
          >
            {edited.length > 0 ? <EditedFields fields={edited} replace={replacing} onChange={setReplacing} /> : null}
          </LazyPromptDialog>
        </>
      ) : null}
    </div>
  )
}
