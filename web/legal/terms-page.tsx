import { Link } from '@tanstack/react-router'
import { pages } from '#shared/paths.ts'
import { useSite } from '#web/lib/site.ts'
import { Clause, LegalPage, Mail } from './legal-page.tsx'

/** The terms of use. */
export function TermsPage() {
  const { product_name, company_name, support_email } = useSite()
  return (
    <LegalPage title="Terms and Conditions">
      <Clause title="What this is">
        <p>
          These terms govern your use of {product_name}, which{' '}
          {company_name === product_name ? 'its operator' : company_name} (“we”, “the provider”) runs. By creating an
          account or using the service you agree to them. If you do not agree, please do not use the service. If you use
          it for an organisation, you agree for that organisation too and say that you may do so.
        </p>
        <p>
          {product_name} keeps research projects and papers in PDF, reads their text, analyses it, answers questions
          about it and gathers articles from journals.
        </p>
      </Clause>
      <Clause title="What it writes">
        <p>
          Summaries, insights, recommendations, evidence levels and answers are made by machine. They can be wrong,
          incomplete or out of date. They are an aid to reading and no medical, legal or other professional advice;
          check every statement against the paper itself before you rely on it.
        </p>
      </Clause>
      <Clause title="Who may use it">
        <p>
          The service is not meant for children under the age of 13, and we do not knowingly let them hold an account.
          You must give a true e-mail address, keep your password to yourself, and answer for what is done with your
          account. Tell us at once if you believe that somebody else has used it.
        </p>
      </Clause>
      <Clause title="Your content">
        <p>
          You keep all rights to the documents, notes and other content that you put into the service. So that we can
          run it, you grant us a worldwide, non-exclusive, royalty-free, sublicensable and transferable licence to host,
          store, copy, process, adapt, analyse, transmit and display that content in connection with the service and its
          improvement. The licence ends when the content is deleted, save for copies that the law obliges us to keep or
          that remain in backups for a limited time.
        </p>
        <p>
          You promise that you may lawfully upload what you upload. Many papers are protected by copyright: it is for
          you to see that your use of them is permitted. We may remove content that breaks these terms or the law.
        </p>
      </Clause>
      <Clause title="Our software">
        <p>
          The service, its name and its design belong to us or to those who license them to us. Using the service gives
          you no right to them beyond that use. Where software is published under a licence of its own, that licence
          applies to it.
        </p>
      </Clause>
      <Clause title="Fair use">
        <p>You agree that you will not</p>
        <ul>
          <li>break the law or infringe the rights of others with the service;</li>
          <li>upload harmful code, or try to get round the limits and safeguards of the service;</li>
          <li>read, change or remove what belongs to other users;</li>
          <li>burden the service so heavily that others can no longer use it;</li>
          <li>resell the service, or pass off what it writes as a person&apos;s work where that would mislead.</li>
        </ul>
      </Clause>
      <Clause title="Other services">
        <p>
          Some features reach services of others: cloud drives, journals and their feeds, scholarly indexes and
          providers of language models. Their own terms apply to them, and we do not answer for what they offer or for
          whether they are there.
        </p>
      </Clause>
      <Clause title="Ending an account">
        <p>
          You may stop using the service and delete your account at any time. We may suspend or terminate an account
          without notice, for example where these terms are broken, where the law demands it, or where the service is
          given up. Your right to use the service then ends at once. Keep copies of what matters to you.
        </p>
      </Clause>
      <Clause title="Liability">
        <p>
          The service is provided as it is, without any warranty that it is free of faults or always available. As far
          as the law permits, we are not liable for indirect losses or for loss of data, profit or reputation, nor for
          decisions taken on the strength of what the service writes. Nothing in these terms limits liability that
          cannot be limited by law, such as that for death or personal injury caused by negligence, or for fraud.
        </p>
      </Clause>
      <Clause title="Changes">
        <p>
          We may change the service and these terms. We give at least 30 days&apos; notice of a material change to the
          terms before it takes effect. If you go on using the service after that, the changed terms apply to you.
        </p>
      </Clause>
      <Clause title="Law">
        <p>
          These terms are governed by the law of the United Kingdom, and its courts decide on disputes. Rights that
          protect you as a consumer where you live remain untouched. If one of these terms should not be valid, the
          others stay in force.
        </p>
      </Clause>
      <Clause title="Contact">
        <p>
          Questions about these terms reach us at <Mail to={support_email} />. How we treat personal data is told in the{' '}
          <Link className="link" to={pages.privacy()}>
            Privacy Policy
          </Link>
          , and what is kept in your browser in the{' '}
          <Link className="link" to={pages.cookies()}>
            Cookie Notice
          </Link>
          .
        </p>
      </Clause>
    </LegalPage>
  )
}
