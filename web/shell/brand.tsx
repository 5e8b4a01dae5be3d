import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { useSite } from '#web/lib/site.ts'
import styles from './shell.module.css'

/** The logo and the product name. */
export function Brand() {
  const { product_name } = useSite()
  return (
    <Link to={pages.home()} className={styles.brand} aria-label={product_name || 'Home'}>
      <svg
        viewBox="0 0 22 22"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden
      >
        <path d="M2.8 4.2 11 6.9l8.2-2.7v7.2L11 14.1l-8.2-2.7z" />
        <path d="M11 6.9v11.6M7.2 18.8h7.6" />
      </svg>
      <span>{product_name}</span>
    </Link>
  )
}
