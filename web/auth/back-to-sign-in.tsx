import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import styles from './auth.module.css'

/** The link to the sign-in, which then returns to `back`. */
export const BackToSignIn = ({ back }: { back: string | undefined }) => (
  <p className={styles.aside}>
    <Link className="text-link" to={pages.auth()} search={{ back }}>
      Back to sign in
    </Link>
  </p>
)
