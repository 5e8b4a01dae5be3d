import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'

/** The link to the sign-in, which then returns to `back`. */
export const BackToSignIn = ({ back }: { back: string | undefined }) => (
  <p className="mt-3">
    <Link className="text-link" to={pages.auth()} search={{ back }}>
      Back to sign in
    </Link>
  </p>
)
