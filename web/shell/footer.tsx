import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { useSite } from '#web/lib/site.ts'
import { cn } from '#web/ui/class-names.ts'
import styles from './shell.module.css'

/** Copyright and links to the legal pages. */
export function Footer() {
  const { company_name } = useSite()
  return (
    // The footer is invisible while the content is loading, so that it does not move when the content is there.
    <footer className={cn(styles.footer, 'peer-has-data-[slot=waiting]:invisible')}>
      <div className={styles.footerRow}>
        <span>
          © {new Date().getFullYear()} {company_name}
        </span>
        <Link to={pages.terms()}>Terms &amp; Conditions</Link>
        <Link to={pages.privacy()}>Privacy Policy</Link>
        <Link to={pages.cookies()}>Cookie Notice</Link>
      </div>
    </footer>
  )
}
