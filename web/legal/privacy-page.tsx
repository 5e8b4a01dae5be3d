import { Link } from '@tanstack/react-router'
import { pages } from '#shared/paths.ts'
import { KEPT_DAYS } from '#shared/trash.ts'
import { useSite } from '#web/lib/site.ts'
import { Clause, LegalPage, Mail } from './legal-page.tsx'

/** What is done with personal data. */
export function PrivacyPage() {
  const { product_name, company_name, support_email, privacy_email } = useSite()
  return (
    <LegalPage title="Privacy Policy">
      <Clause title="Who we are">
        <p>
          {company_name === product_name ? 'We run' : `${company_name} runs`} {product_name} and{' '}
          {company_name === product_name ? 'are' : 'is'} the controller of your personal data under the UK General Data
          Protection Regulation and the Data Protection Act 2018. You reach us about personal data at{' '}
          <Mail to={privacy_email} />, and about anything else at <Mail to={support_email} />.
        </p>
        <p>This policy tells what data we hold, why, who else receives it, and what you may ask of us.</p>
      </Clause>
      <Clause title="What we hold">
        <ul>
          <li>Your account: e-mail address, name, a protected form of your password, and your settings.</li>
          <li>Your profile, as far as you fill it in: display name, a few words about you, a picture.</li>
          <li>Your content: projects, uploaded documents, the text read from them, analyses, questions and answers.</li>
          <li>
            Technical records: when and from which network address the service was used, errors, and how much work was
            done.
          </li>
        </ul>
      </Clause>
      <Clause title="Why">
        <ul>
          <li>To provide the service that you asked for, which is the performance of our contract with you.</li>
          <li>To keep it safe and working, and to see how heavily it is used, which is our legitimate interest.</li>
          <li>To write to you about your account and, if you have switched that on, about your documents.</li>
          <li>To meet legal duties.</li>
        </ul>
        <p>
          We do not sell personal data, show no advertising, and take no decision about you by machine alone that has
          legal or similarly serious effects.
        </p>
      </Clause>
      <Clause title="Who receives it">
        <p>
          Documents are private to the account that uploaded them. Where the operator of this installation has connected
          outside services, data goes to them as far as a task needs it: a provider of language models receives the text
          that is to be analysed or asked about, a cloud drive is read when you import from it, a scholarly index is
          asked for journals and papers, with words of a research question where it is to recommend some, and a mail
          service carries messages to you. Without such connections the work is done on the server itself.
        </p>
      </Clause>
      <Clause title="Other countries">
        <p>
          An outside service may work in another country than yours. Where personal data leaves the United Kingdom, it
          goes only to countries whose protection UK law recognises, or under the safeguards that UK law provides for.
        </p>
      </Clause>
      <Clause title="Safety">
        <p>
          Passwords are kept in a form from which they cannot be read back, who is asking is checked at every request,
          and each account&apos;s data is kept apart in the database itself. No system is perfectly safe: should a
          breach put you at risk, we tell you and the authorities as UK law demands.
        </p>
      </Clause>
      <Clause title="How long">
        <p>
          Data stays until you delete it or your account ends. Projects and documents that you delete can be restored
          for {KEPT_DAYS} days, unless you delete them for good. Deleted content may remain in backups for a limited
          time. Accounts may be terminated without notice, as the{' '}
          <Link className="link" to={pages.terms()}>
            Terms &amp; Conditions
          </Link>{' '}
          say, and their content may go with them.
        </p>
      </Clause>
      <Clause title="Your rights">
        <p>
          Under UK data-protection law you may ask for access to your personal data, for its correction, deletion or
          transfer, and for its use to be restricted; you may object to its use, and take back a consent that you gave.
          Please contact us at <Mail to={privacy_email} /> to use these rights. We answer within one month and take no
          fee for it.
        </p>
        <p>
          You may also complain to the Information Commissioner&apos;s Office, which watches over this law in the UK.
        </p>
      </Clause>
      <Clause title="Children">
        <p>
          The service is not directed at children under the age of 13, and we do not knowingly collect their data. If
          you believe that a child has given us data, please tell us, and we will delete it.
        </p>
      </Clause>
      <Clause title="Do Not Track">
        <p>
          Browsers can send a “Do Not Track” signal. There is no common understanding of what it demands, and we do not
          honour it.
        </p>
      </Clause>
      <Clause title="Cookies">
        <p>
          Which cookies there are is told in the{' '}
          <Link className="link" to={pages.cookies()}>
            Cookie Notice
          </Link>
          .
        </p>
      </Clause>
      <Clause title="Changes">
        <p>
          We may change this policy, and give at least 30 days&apos; notice of a material change before it takes effect.
        </p>
      </Clause>
    </LegalPage>
  )
}
