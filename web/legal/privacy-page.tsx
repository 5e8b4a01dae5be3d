import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { TRASH_DAYS } from '#shared/contract/trash.ts'
import { useSite } from '#web/lib/site.ts'
import { Clause, LegalPage, Mail } from './legal-page.tsx'

/** The privacy policy. */
export function PrivacyPage() {
  const { product_name, company_name, support_email, privacy_email } = useSite()
  return (
    <LegalPage title="Privacy Policy">
      <Clause title="Who we are">
        <p>
          {company_name === product_name ? 'We run' : `${company_name} runs`} {product_name} and{' '}
          {company_name === product_name ? 'are' : 'is'} the controller of your personal data under the UK General Data
          Protection Regulation and the Data Protection Act 2018. For questions about personal data, contact us at{' '}
          <Mail to={privacy_email} />; for all other questions, at <Mail to={support_email} />.
        </p>
        <p>This policy states which data we hold, why, who else receives it, and which rights you have.</p>
      </Clause>
      <Clause title="What we hold">
        <ul>
          <li>Your account: e-mail address, name, a protected form of your password, and your settings.</li>
          <li>Your profile, if you complete it: display name, a few words about you, a picture.</li>
          <li>
            Your content: projects, uploaded documents, the text extracted from them, analyses, questions and answers.
          </li>
          <li>Technical records: the time and network address of each use, errors, and the amount of work done.</li>
        </ul>
      </Clause>
      <Clause title="Why">
        <ul>
          <li>To provide the service that you requested, which is the performance of our contract with you.</li>
          <li>To keep it secure and working, and to measure its use, which is our legitimate interest.</li>
          <li>To write to you about your account and, if you have turned that on, about your documents.</li>
          <li>To comply with legal obligations.</li>
        </ul>
        <p>
          We do not sell personal data, show no advertising, and make no automated decisions about you with legal or
          similarly significant effects.
        </p>
      </Clause>
      <Clause title="Recipients">
        <p>
          Documents of a project are visible to its members, and other documents only to the account that uploaded them.
          If the operator of this installation has connected external services, they receive the data that a task needs:
          a provider of language models receives the text to be analysed or asked about, a cloud drive is read when you
          import from it, a scholarly index receives searches for journals and papers, with words of a research question
          for recommendations, and a mail service sends messages to you. Without such connections, all work is done on
          the server itself.
        </p>
      </Clause>
      <Clause title="Other countries">
        <p>
          An external service may operate in another country than yours. If personal data leaves the United Kingdom, it
          is transferred only to countries whose protection UK law recognises, or under the safeguards that UK law
          provides.
        </p>
      </Clause>
      <Clause title="Safety">
        <p>
          Passwords are stored in a form from which they cannot be recovered, every request is authenticated, and the
          data of each account is separated in the database itself. No system is perfectly secure: if a breach puts you
          at risk, we inform you and the authorities as UK law requires.
        </p>
      </Clause>
      <Clause title="How long">
        <p>
          Data is stored until you delete it or your account ends. Deleted projects and documents can be restored for{' '}
          {TRASH_DAYS} days, unless you delete them permanently. Deleted content may remain in backups for a limited
          time. Accounts may be terminated without notice, as the{' '}
          <Link className="text-link" to={pages.terms()}>
            Terms &amp; Conditions
          </Link>{' '}
          state, and their content may be deleted with them.
        </p>
      </Clause>
      <Clause title="Your rights">
        <p>
          Under UK data protection law you may request access to your personal data, its correction, deletion or
          transfer, and a restriction of its use; you may object to its use and withdraw your consent. Please contact us
          at <Mail to={privacy_email} /> to use these rights. We answer within one month, free of charge.
        </p>
        <p>
          You may also complain to the Information Commissioner&apos;s Office, which supervises data protection in the
          UK.
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
          Browsers can send a “Do Not Track” signal. There is no common standard for its meaning, and we do not honour
          it.
        </p>
      </Clause>
      <Clause title="Cookies">
        <p>
          For the cookies that we set, see the{' '}
          <Link className="text-link" to={pages.cookies()}>
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
