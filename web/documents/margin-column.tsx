import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { parseEvidenceLevel } from '#shared/contract/analysis.ts'
import { statusLabel } from '#shared/contract/documents.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { pages } from '#shared/contract/paths.ts'
import { PromptUsed } from '#web/analysis/index.ts'
import { JoinedPapers } from '#web/duplicates/index.ts'
import { counted, shortDate } from '#web/lib/dates.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { useMay } from '#web/lib/rights.tsx'
import { LookupOffer } from '#web/lookup/index.ts'
import { undoAnalysis } from '#web/processing/index.ts'
import { Button } from '#web/ui/button.tsx'
import { EvidencePyramid } from '#web/ui/evidence-pyramid.tsx'
import { Chip, ChipButton, Chips } from '#web/ui/marks.tsx'
import { Status } from '#web/ui/status.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import styles from './document.module.css'
import { EditedValues } from './edited-values.tsx'
import { PassageLink } from './passage-link.tsx'
import type { PassageView } from './passage-link.tsx'
import { fieldLabel } from './reference-fields.ts'
import { passagesOf } from './statements.ts'

const ZoteroItem = lazyPart(() => import('#web/zotero/index.ts').then((zotero) => zotero.ZoteroItem))

/** The column to the right of the text of a paper, with its evidence level, its keywords and the record of its processing. */
export function MarginColumn({
  document,
  address,
  ...view
}: PassageView & { document: DocumentDetail; address: string }) {
  const mayEdit = useMay('edit')
  const isLoaded = useFirstAnswers()
  return (
    <aside className={styles.marginColumn} aria-label="About this paper">
      {document.evidence_level ? <Evidence document={document} text={document.evidence_level} {...view} /> : null}
      {document.keywords.length > 0 ? <Keywords document={document} {...view} /> : null}
      <section>
        <h2>Record</h2>
        <dl className={styles.provenance}>
          <dt>Status</dt>
          <dd>
            <Status word={statusLabel(document.status)} />
          </dd>
          {document.page_count ? (
            <>
              <dt>Pages</dt>
              <dd className="tabular-nums lining-nums">{document.page_count}</dd>
            </>
          ) : null}
          {document.extraction_method ? (
            <>
              <dt>Text</dt>
              <dd>{textSource(document)}</dd>
            </>
          ) : null}
          {document.analyzed_at ? (
            <>
              <dt>Analyzed</dt>
              <dd className="tabular-nums lining-nums">{shortDate(document.analyzed_at)}</dd>
            </>
          ) : null}
          {document.analysis_model ? (
            <>
              <dt>Model</dt>
              <dd>{document.analysis_model}</dd>
            </>
          ) : null}
          {document.analysis_prompt ? (
            <>
              <dt>Prompt</dt>
              <dd>
                <PromptUsed document={document} />
              </dd>
            </>
          ) : null}
          {document.run ? (
            <>
              <dt>Run</dt>
              <dd>
                <Link className="text-link inline-block py-0.5" to={pages.run(address, document.run.id)}>
                  run {document.run.number}
                </Link>
                {document.run.cached ? ', stored answer' : null}
              </dd>
            </>
          ) : null}
          {document.edited_fields.length > 0 ? <EditedValues documentId={document.id} address={address} /> : null}
          {document.vectorized_at ? (
            <>
              <dt>Vectorized</dt>
              <dd className="tabular-nums lining-nums">{shortDate(document.vectorized_at)}</dd>
            </>
          ) : null}
        </dl>
        {mayEdit && document.can_undo_analysis && document.analyzed_at ? (
          <UndoAnalysis {...document} at={document.analyzed_at} />
        ) : null}
        {mayEdit ? <LookupOffer key={document.id} document={document} /> : null}
      </section>
      <JoinedPapers documentId={document.id} />
      {isLoaded ? (
        <Suspense>
          <ZoteroItem documentId={document.id} labelOf={(field) => fieldLabel(field, document.reference.type)} />
        </Suspense>
      ) : null}
    </aside>
  )
}

function UndoAnalysis({ id, at }: { id: string; at: string }) {
  const [busy, setBusy] = useState(false)
  const run = () => {
    setBusy(true)
    void undoAnalysis(id, at).finally(() => setBusy(false))
  }
  return (
    <Button size="sm" className="mt-3" disabled={busy} onClick={run}>
      Undo the last analysis
    </Button>
  )
}

type Props = PassageView & { document: DocumentDetail }

function Evidence({ document, text, ...view }: Props & { text: string }) {
  const parsed = parseEvidenceLevel(text)
  const cues = passagesOf(document.passages, 'evidence_level')
  return (
    <section>
      <h2>Evidence Level</h2>
      {parsed ? (
        <div className={styles.evidence}>
          <EvidencePyramid level={parsed.level} large />
          <div>
            <b>Level {parsed.label}</b>
            {parsed.design ? <span>{parsed.design}</span> : null}
          </div>
        </div>
      ) : (
        <p>{text}</p>
      )}
      {cues.map((cue) =>
        cue.quote && cue.match !== 'none' ? (
          <blockquote key={`${cue.page} ${cue.start}`} className={styles.evidenceQuote}>
            “{cue.quote.trim()}” <PassageLink passage={cue} {...view} />
          </blockquote>
        ) : (
          <p key={cue.item} className="mt-2">
            <PassageLink passage={cue} {...view} />
          </p>
        ),
      )}
    </section>
  )
}

/** Keyword chips. If the passage of a keyword is known, a click on its chip shows the passage. */
function Keywords({ document, onShow }: Props) {
  return (
    <section>
      <h2>Keywords</h2>
      <Chips>
        {document.keywords.map((word, item) => {
          const passage = passagesOf(document.passages, 'keywords').find(
            (one) => one.item === item && one.page !== null,
          )
          return passage ? (
            <Tooltip key={word} text={`Show it on p. ${passage.page}`}>
              <ChipButton onClick={() => onShow(passage)}>{word}</ChipButton>
            </Tooltip>
          ) : (
            <Chip key={word}>{word}</Chip>
          )
        })}
      </Chips>
    </section>
  )
}

/** Returns how the text was extracted: 'Text layer', 'OCR', or 'Text layer' with the number of pages that needed OCR. */
function textSource({ extraction_method, ocr_pages, page_count }: DocumentDetail): string {
  if (extraction_method !== 'ocr') return 'Text layer'
  const isMixed = ocr_pages.length > 0 && page_count !== null && ocr_pages.length < page_count
  return isMixed ? `Text layer, ${counted(ocr_pages.length, 'page')} by OCR` : 'OCR'
}
