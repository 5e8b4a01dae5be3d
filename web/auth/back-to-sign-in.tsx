import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'

/** A link to the sign-in page. `back`: the path that opens after the sign-in. */
export const BackToSignIn = ({ back }: { back: string | undefined }) => (
  <p className="mt-3">
    <Link className="text-link" to={pages.auth()} search={{ back }}>
      Back to sign in
    </Link>
  </p>
)
