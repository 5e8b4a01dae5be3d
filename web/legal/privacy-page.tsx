import { Link } from '@tanstack/react-router'
import { pages } from '#shared/paths.ts'
import { useSite } from '#web/lib/site.ts'
import { Clause, LegalPage, Mail } from './legal-page.tsx'

/** What is done with personal data. */
export function PrivacyPage() {
  const { product_name, company_name, privacy_email } = useSite()
  return (
    <LegalPage title="Privacy Policy">
      <Clause title="Who we are">
        <p>
          {company_name} runs {product_name} and is the controller of your personal data under the UK General Data
          Protection Regulation and the Data Protection Act 2018. You reach us about personal data at{' '}
          <Mail to={privacy_email} />.
        </p>
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
        <p>
          We use this data to provide the service that you asked for, which is the performance of our contract with you;
          to keep it safe and working, which is our legitimate interest; and to meet legal duties. We do not sell
          personal data.
        </p>
      </Clause>
      <Clause title="Who receives it">
        <p>
          Documents are private to the account that uploaded them. Where the operator of this installation has connected
          outside services, data goes to them as far as a task needs it: a provider of language models receives the text
          that is to be analysed or asked about, a cloud drive is read when you import from it, a scholarly index is
          asked for journals and papers, and a mail service carries messages to you. Without such connections the work
          is done on the server itself.
        </p>
      </Clause>
      <Clause title="How long">
        <p>
          Data stays until you delete it or your account ends. Deleted content may remain in backups for a limited time.
          Accounts may be terminated without notice, as the{' '}
          <Link className="link" to={pages.terms()}>
            Terms &amp; Conditions
          </Link>{' '}
          say, and their content may go with them.
        </p>
      </Clause>
      <Clause title="Your rights">
        <p>
          You may ask for access to your personal data, for its correction, deletion or transfer, and for its use to be
          restricted, and you may object to it. Please contact us at <Mail to={privacy_email} /> to use these rights.
          You may also complain to the Information Commissioner&apos;s Office.
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
