import { Link } from '@tanstack/react-router'
import { pages } from '#shared/paths.ts'
import { useSite } from '#web/lib/site.ts'
import { Clause, LegalPage, Mail } from './legal-page.tsx'

/** Which cookies are set, and when. */
export function CookiesPage() {
  const { product_name, privacy_email } = useSite()
  return (
    <LegalPage title="Cookie Notice">
      <Clause title="What cookies are">
        <p>
          Cookies are small texts that a website stores in your browser and reads again later. Browsers also offer a
          local storage, which stays on your device and is not sent along with requests. UK law asks us to tell you
          about both.
        </p>
      </Clause>
      <Clause title="What is needed">
        <p>
          {product_name} itself sets two cookies, and a third one for some minutes where you sign in by another
          provider. The service does not work without them, so UK law asks for no consent to them. The rest stays in
          your browser&apos;s storage.
        </p>
        <dl>
          <dt>Your session (cookie)</dt>
          <dd>
            Keeps you signed in. It cannot be read by scripts, is sent to this site only, and ends when you sign out or
            have not come back for 14 days.
          </dd>
          <dt>Your earlier sign-ins (cookie)</dt>
          <dd>
            A mark that you have signed in with this browser before, for 180 days. Attempts of other people to guess
            your password do not lock you out here. The mark does not sign you in and holds no name.
          </dd>
          <dt>Sign-in by another provider (cookie)</dt>
          <dd>Where that is offered: ties the provider&apos;s answer to your browser, for as long as you are there.</dd>
          <dt>Your project (local storage)</dt>
          <dd>Remembers which project you chose last, until you choose another.</dd>
          <dt>Appearance (local storage)</dt>
          <dd>Your colours and font size, so that a page does not flash in the wrong ones, until you change them.</dd>
          <dt>Names (local storage)</dt>
          <dd>The names and limits of this installation that every page shows, until they change.</dd>
          <dt>What you put aside (local and session storage)</dt>
          <dd>
            Which notice about finished work, and which offer on a document&apos;s page, you have closed, so that it
            does not come again. What is in the session storage goes when you close the tab.
          </dd>
          <dt>Going and coming back (session storage)</dt>
          <dd>
            While you are at the sign-in of a cloud drive, what tells its answer from a forged one, and when a page was
            last loaded anew after an update.
          </dd>
        </dl>
      </Clause>
      <Clause title="Third parties">
        <p>
          By default no third-party cookie is set. Each of the following is set only if the operator of this
          installation enables that service:
        </p>
        <dl>
          <dt>Analytics</dt>
          <dd>A service that counts visits may set cookies to tell one visit from another.</dd>
          <dt>Cloud-drive sign-in</dt>
          <dd>
            When you import from a cloud drive such as Google Drive, its provider sets cookies while you sign in there.
          </dd>
          <dt>Cloud backend</dt>
          <dd>A hosted backend may set cookies to keep a connection safe and to spread the load.</dd>
        </dl>
      </Clause>
      <Clause title="Your choice">
        <p>
          You can delete and block cookies in the settings of your browser. If you block the cookie that keeps you
          signed in, you cannot sign in. The “Do Not Track” signal of a browser is not honoured.
        </p>
      </Clause>
      <Clause title="Changes">
        <p>
          When we change what is stored in your browser, we change this notice, and give at least 30 days&apos; notice
          of a material change. How we treat personal data is told in the{' '}
          <Link className="link" to={pages.privacy()}>
            Privacy Policy
          </Link>
          .
        </p>
      </Clause>
      <Clause title="Contact">
        <p>
          Questions about cookies and about your rights under UK data-protection law reach us at{' '}
          <Mail to={privacy_email} />.
        </p>
      </Clause>
    </LegalPage>
  )
}
