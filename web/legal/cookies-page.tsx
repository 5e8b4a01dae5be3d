import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { useSite } from '#web/lib/site.ts'
import { Clause, LegalPage, Mail } from './legal-page.tsx'

/** The cookie notice. */
export function CookiesPage() {
  const { product_name, privacy_email } = useSite()
  return (
    <LegalPage title="Cookie Notice">
      <Clause title="About cookies">
        <p>
          Cookies are small texts that a website stores in your browser and reads later. Browsers also offer a local
          storage, which stays on your device and is not sent with requests. UK law requires us to inform you about
          both.
        </p>
      </Clause>
      <Clause title="Required cookies">
        <p>
          {product_name} itself sets two cookies, and a third one for some minutes if you sign in with another provider.
          The service does not work without them, so UK law does not require your consent. All other data stays in your
          browser&apos;s storage.
        </p>
        <dl>
          <dt>Your session (cookie)</dt>
          <dd>
            Keeps you signed in. Scripts cannot read it, and it is sent to this site only. It ends when you sign out or
            have not used the service for 14 days.
          </dd>
          <dt>Your earlier sign-ins (cookie)</dt>
          <dd>
            Records for 180 days that you have signed in with this browser before. It prevents a lockout here when other
            people try to guess your password. It does not sign you in and contains no name.
          </dd>
          <dt>Sign-in by another provider (cookie)</dt>
          <dd>If this sign-in is offered: connects the provider&apos;s answer with your browser while you sign in.</dd>
          <dt>Your project (local storage)</dt>
          <dd>Stores the project that you selected last, until you select another one.</dd>
          <dt>Appearance (local storage)</dt>
          <dd>
            Your colours and font size, so that a page does not first appear in the wrong ones, until you change them.
          </dd>
          <dt>Names (local storage)</dt>
          <dd>The names and limits of this installation that every page shows, until they change.</dd>
          <dt>Closed notices (local and session storage)</dt>
          <dd>
            The notices about finished work and the offers on a document&apos;s page that you have closed, so that they
            do not appear again. The session storage is deleted when you close the tab.
          </dd>
          <dt>Sign-ins and updates (session storage)</dt>
          <dd>
            During the sign-in of a cloud drive, a secret that distinguishes its answer from a forged one; and the time
            of the last reload after an update.
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
          <dd>A service that counts visits may set cookies to distinguish visits.</dd>
          <dt>Cloud-drive sign-in</dt>
          <dd>
            When you import from a cloud drive such as Google Drive, its provider sets cookies while you sign in there.
          </dd>
          <dt>Cloud backend</dt>
          <dd>A hosted backend may set cookies to keep a connection secure and to balance the load.</dd>
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
          of a material change. For our use of personal data, see the{' '}
          <Link className="text-link" to={pages.privacy()}>
            Privacy Policy
          </Link>
          .
        </p>
      </Clause>
      <Clause title="Contact">
        <p>
          For questions about cookies and about your rights under UK data protection law, contact us at{' '}
          <Mail to={privacy_email} />.
        </p>
      </Clause>
    </LegalPage>
  )
}
