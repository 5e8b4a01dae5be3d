import { CircleHelp } from 'lucide-react'
import { IconButton } from '#web/ui/button.tsx'
import { Popover } from '#web/ui/popover.tsx'
import styles from './search.module.css'

const FORMS = [
  ['sleep recall', 'passages with any of the words, best first'],
  ['"slow wave sleep"', 'the exact phrase'],
  ['-mice', 'without the word'],
  ['"deep sleep" OR "slow wave"', 'one of both phrases'],
  ['title:naps', 'a word of the title'],
  ['author:adeyo', 'an author'],
  ['year:2015..2020', 'the year of publication'],
  ['tag:memory', 'a tag'],
  ['-tag:memory', 'without the tag'],
  ['journal:sleep', 'a journal'],
  ['pmid:123', 'any other prefix: plain text'],
] as const

/** The help about the syntax of searches (LIB-04). */
export const SearchHelp = () => (
  <Popover
    label="Help for the search"
    align="end"
    wide
    trigger={
      <IconButton label="Help for the search">
        <CircleHelp aria-hidden />
      </IconButton>
    }
  >
    <dl className={styles.help}>
      {FORMS.map(([form, about]) => (
        <div key={form}>
          <dt>{form}</dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
  </Popover>
)
