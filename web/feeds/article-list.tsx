import { Link } from '@tanstack/react-router'
import { Check, Star } from 'lucide-react'
import { Fragment } from 'react'
import { NO_LINK } from '#shared/contract/feeds.ts'
import type { FeedArticle } from '#shared/contract/feeds.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { publishedAt, shortDate } from '#web/lib/dates.ts'
import { useMay } from '#web/lib/rights.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import styles from './feeds.module.css'
import { useAddToProject, useMark } from './queries.ts'

/** The articles, grouped by publication day, or by the day on which they were found if their feed gives no date. */
export function ArticleList({ project, articles }: { project: Project; articles: readonly FeedArticle[] }) {
  const timeOf = ({ dated, pubDate }: FeedArticle) => (dated ? publishedAt(pubDate) : new Date(pubDate))
  const days = Map.groupBy(
    articles.toSorted((a, b) => timeOf(b).getTime() - timeOf(a).getTime()),
    (one) => (one.dated ? shortDate(timeOf(one).toISOString()) : `No date given, found ${dayOf(one.pubDate)}`),
  )
  return [...days].map(([day, list]) => (
    <section className={styles.day} key={day}>
      <h2 className="tabular-nums lining-nums">
        {day}
        {list[0]?.dated ? <span>{timeOf(list[0]).toLocaleDateString('en-US', { weekday: 'long' })}</span> : null}
      </h2>
      <div>
        {list.map((one) => (
          <Article key={one.id} project={project} article={one} />
        ))}
      </div>
    </section>
  ))
}

/** Formats a day as 'Nov 22', with the year if it is not the current year. */
function dayOf(value: string): string {
  const date = new Date(value)
  if (date.getFullYear() !== new Date().getFullYear()) return shortDate(value)
  return date.toLocaleDateString('en-US', { month: 'short', day: 'numeric' })
}

function Article({ project, article }: { project: Project; article: FeedArticle }) {
  const { mutate: mark } = useMark(article.id)
  const { title, link, read, starred } = article
  return (
    <article className={styles.article} data-read={read || undefined} aria-label={title}>
      <div>
        <h3>
          {link === NO_LINK ? (
            title
          ) : (
            <a href={link} target="_blank" rel="noopener noreferrer" onClick={() => read || mark({ read: true })}>
              {title}
            </a>
          )}{' '}
          <PaperMarks retracted={article.retracted} />
        </h3>
        <p className={styles.source}>
          {article.journal_name} <AlsoIn copies={article.also_in} /> <Adding project={project} article={article} />
        </p>
        {article.description ? <p className={styles.description}>{article.description}</p> : null}
      </div>
      <div className={styles.articleActions}>
        <IconButton
          label={starred ? 'Remove the star' : 'Star'}
          aria-pressed={starred}
          onClick={() => mark({ starred: !starred })}
        >
          <Star aria-hidden />
        </IconButton>
        <IconButton
          label={read ? 'Mark as unread' : 'Mark as read'}
          aria-pressed={read}
          onClick={() => mark({ read: !read })}
        >
          <Check aria-hidden />
        </IconButton>
      </div>
    </article>
  )
}

/** Names of the other journals whose feeds also contain the article. The list shows such an article only once. */
function AlsoIn({ copies }: { copies: FeedArticle['also_in'] }) {
  if (copies.length === 0) return null
  return (
    <span>
      also in{' '}
      {copies.map(({ journal_name, link }, at) => (
        <Fragment key={journal_name}>
          {at > 0 ? ', ' : null}
          {link === NO_LINK ? (
            journal_name
          ) : (
            <a href={link} target="_blank" rel="noopener noreferrer">
              {journal_name}
            </a>
          )}
        </Fragment>
      ))}
    </span>
  )
}

/** A button that adds the article to the project as a document, or a link if the project already contains the document. */
function Adding({ project, article }: { project: Project; article: FeedArticle }) {
  const mayEdit = useMay('edit')
  const adding = useAddToProject(project.id)
  if (article.document_id) return <Link to={pages.document(project.address, article.document_id)}>In this project</Link>
  if (!mayEdit) return null
  return (
    <button type="button" disabled={adding.isPending} onClick={() => adding.mutate(article)}>
      {adding.isPending ? 'Adding…' : 'Add to project'}
    </button>
  )
}
