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
          These terms govern your use of {product_name}, which {company_name} (“we”, “the provider”) runs. By creating
          an account or using the service you agree to them. If you do not agree, please do not use the service.
        </p>
        <p>
          {product_name} keeps research projects and papers in PDF, reads their text, analyses it, answers questions
          about it and gathers articles from journals. What it writes about a paper can be wrong or incomplete. It is an
          aid to reading and no medical, legal or other professional advice; check every statement against the paper
          itself.
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
          run it, you grant us a worldwide, non-exclusive, royalty-free and transferable licence to store, copy,
          process, adapt, analyse, transmit and display that content in connection with the service and its improvement.
          The licence ends when the content is deleted, save for copies that the law obliges us to keep or that remain
          in backups for a limited time.
        </p>
        <p>
          You promise that you may lawfully upload what you upload. Many papers are protected by copyright: it is for
          you to see that your use of them is permitted.
        </p>
      </Clause>
      <Clause title="Fair use">
        <p>You agree that you will not</p>
        <ul>
          <li>break the law or infringe the rights of others with the service;</li>
          <li>upload harmful code, or try to get round the limits and safeguards of the service;</li>
          <li>read, change or remove what belongs to other users;</li>
          <li>burden the service so heavily that others can no longer use it.</li>
        </ul>
      </Clause>
      <Clause title="Ending an account">
        <p>
          You may stop using the service at any time. We may suspend or terminate an account without notice, for example
          where these terms are broken, where the law demands it, or where the service is given up. Keep copies of what
          matters to you.
        </p>
      </Clause>
      <Clause title="Liability">
        <p>
          The service is provided as it is, without any warranty that it is free of faults or always available. As far
          as the law permits, we are not liable for indirect losses or for loss of data, profit or reputation. Nothing
          in these terms limits liability that cannot be limited by law, such as that for death or personal injury
          caused by negligence, or for fraud.
        </p>
      </Clause>
      <Clause title="Changes">
        <p>
          We may change these terms. We give at least 30 days&apos; notice of a material change before it takes effect.
          If you go on using the service after that, the changed terms apply to you.
        </p>
      </Clause>
      <Clause title="Law">
        <p>
          These terms are governed by the law of the United Kingdom, and its courts decide on disputes. Rights that
          protect you as a consumer where you live remain untouched.
        </p>
      </Clause>
      <Clause title="Contact">
        <p>
          Questions about these terms reach us at <Mail to={support_email} />. How we treat personal data is told in the{' '}
          <Link className="link" to={pages.privacy()}>
            Privacy Policy
          </Link>
          .
        </p>
      </Clause>
    </LegalPage>
  )
}
