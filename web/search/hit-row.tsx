import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { parseEvidenceLevel } from '#shared/contract/analysis.ts'
import type { SearchHit } from '#shared/contract/library-search.ts'
import { pages } from '#shared/contract/paths.ts'
import { EvidencePyramid } from '#web/ui/evidence-pyramid.tsx'
import { MatchKind } from '#web/ui/match-kind.tsx'
import { PageLink } from '#web/ui/page-link.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import { MarkedText } from './marked-text.tsx'
import { searchQuery } from './queries.ts'
import styles from './search.module.css'

interface Props {
  hit: SearchHit
  /** The part of the URL that identifies the current project. It is used in links to papers without a project. */
  address: string
  isShown: boolean
  onShow: (hit: SearchHit) => void
  /** The parameters of the search, to load more passages of the paper. */
  params: Parameters<typeof searchQuery>[0]
}

/**
 * A search result: a passage with its page, or a paper with its best passage. Shows how it matched, the title, facts about the
 * paper and the text. Its page, its title and its text open the reader. The title links to the page of the paper, for another
 * tab and for papers that the reader cannot show.
 */
export function HitRow({ hit, address, isShown, onShow, params }: Props) {
  const [isOpen, setOpen] = useState(false)
  const title = hit.title ?? hit.filename
  const showInstead = (event: MouseEvent) => {
    if (!isReadable(hit) || opensElsewhere(event)) return
    event.preventDefault()
    onShow(hit)
  }
  return (
    <li className={styles.hit} aria-current={isShown ? 'true' : undefined}>
      <div className="flex flex-col items-start gap-1.75 max-md:flex-row max-md:items-center">
        <PageLink page={hit.page} current={isShown} disabled={!isReadable(hit)} onClick={() => onShow(hit)} />
        <MatchKind matched={hit.matched} />
      </div>
      <div>
        <h2>
          <Link to={pages.document(hit.project_address ?? address, hit.document_id)} onClick={showInstead}>
            {title}
          </Link>{' '}
          <PaperMarks retracted={hit.retracted} withoutFile={!hit.has_file} />
        </h2>
        <Facts hit={hit} />
        <Words hit={hit} onShow={onShow} />
        {hit.more > 0 ? (
          <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {hit.more} more in this paper
            <ChevronDown aria-hidden />
          </button>
        ) : null}
        {isOpen ? <MorePassages hit={hit} onShow={onShow} params={params} /> : null}
      </div>
    </li>
  )
}

/** Returns whether the reader can show a search result: the abstract (page is null), or a page of a stored PDF. */
const isReadable = ({ page, has_file }: SearchHit) => page === null || has_file

/** Returns whether a click on a link opens its page in another tab or window. */
const opensElsewhere = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey

/** The text of a passage. A mouse click on it opens the reader; for the keyboard, the title and the page link do. */
const Words = ({ hit, onShow }: Pick<Props, 'hit' | 'onShow'>) => (
  <p
    className={styles.words}
    data-readable={isReadable(hit) || undefined}
    onMouseUp={(event) => {
      const isSelection = getSelection()?.isCollapsed === false
      if (isReadable(hit) && !opensElsewhere(event) && !isSelection) onShow(hit)
    }}
  >
    <MarkedText hit={hit} />
  </p>
)

function Facts({ hit: { authors_short: authors, year, section, evidence_level } }: { hit: SearchHit }) {
  const level = parseEvidenceLevel(evidence_level ?? '')
  const facts = [authors, year, section].filter(Boolean)
  return (
    <p className={styles.facts}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      {level ? (
        <span className={styles.level}>
          <EvidencePyramid level={level.level} />
          Level {level.label}
        </span>
      ) : null}
    </p>
  )
}

/** Maximum number of passages in one request of MorePassages. */
const PASSAGES_AT_ONCE = 50

/** The passages of a paper that the list of results leaves out, PASSAGES_AT_ONCE at a time. */
function MorePassages({ hit, params, onShow, page = 1 }: Pick<Props, 'hit' | 'onShow' | 'params'> & { page?: number }) {
  const [isNextShown, setNextShown] = useState(false)
  const part = { more_of: hit.document_id, page, limit: PASSAGES_AT_ONCE }
  const list = useQuery(searchQuery({ ...params, ...part }))
  if (list.isLoadingError) return <p className={styles.facts}>The passages could not be loaded.</p>
  if (!list.data || list.isPlaceholderData) return <p className={styles.facts}>Loading...</p>
  const next =
    page * PASSAGES_AT_ONCE >= list.data.listed ? null : isNextShown ? (
      <MorePassages hit={hit} params={params} onShow={onShow} page={page + 1} />
    ) : (
      <button type="button" className={styles.more} onClick={() => setNextShown(true)}>
        Show more passages
        <ChevronDown aria-hidden />
      </button>
    )
  return (
    <>
      <ul className={styles.others}>
        {list.data.data.map((one) => (
          <li key={`${one.page} ${one.start}`}>
            <PageLink page={one.page} disabled={!isReadable(one)} onClick={() => onShow(one)} />
            <Words hit={one} onShow={onShow} />
          </li>
        ))}
      </ul>
      {next}
    </>
  )
}
