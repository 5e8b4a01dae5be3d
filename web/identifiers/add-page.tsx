import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { projectsQuery } from '#web/projects/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { Notice, Page, PageHead } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import styles from './identifiers.module.css'
import { LookUpList } from './look-up-list.tsx'
import { lookUpRows } from './look-up-rows.ts'
import { useAddPapers } from './use-add-papers.ts'
import { useLookUp } from './use-look-up.ts'

const STORED = 'lectern.add-project'

/**
 * The page /add, which adds the paper of one identifier (such as a DOI) or URL to a project. The bookmarklet and the share menu
 * of a device open it.
 */
export function AddPage({ identifier }: { identifier: string }) {
  useTitle('Add a paper')
  const projects = useQuery(projectsQuery)
  const [typed, setTyped] = useState(identifier)
  const [chosen, setChosen] = useState<string>()
  const own = projects.data?.filter(({ may }) => may.includes('edit')) ?? []
  const project = own.find(({ id }) => id === (chosen ?? localStorage.getItem(STORED))) ?? own[0]
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>Add a paper</h1>
      </PageHead>
      {projects.isLoadingError ? (
        <LoadFailed
          title="The projects could not be loaded"
          error={projects.error}
          onRetry={() => void projects.refetch()}
        />
      ) : !projects.data ? (
        <Waiting>Loading projects...</Waiting>
      ) : !project ? (
        <Notice>
          <h2>You have no project that you may edit</h2>
          <p>Create a project, and open this page again.</p>
          <Link to={pages.projects()} className="text-link">
            Projects
          </Link>
        </Notice>
      ) : (
        <div className={styles.addForm}>
          <Field label="DOI, PMID, PMCID, arXiv id, ISBN or address">
            {(ids) => (
              <Input
                {...ids}
                value={typed}
                spellCheck={false}
                autoCapitalize="off"
                autoComplete="off"
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
          <Field label="Project">
            {(ids) => (
              <Select
                {...ids}
                value={project.id}
                onChange={setChosen}
                options={own.map(({ id, name, owner_name }) => ({
                  value: id,
                  label: name,
                  ...(owner_name ? { about: owner_name } : {}),
                }))}
              />
            )}
          </Field>
          <Found key={project.id} project={project} line={typed.trim()} />
        </div>
      )}
    </Page>
  )
}

function Found({ project, line }: { project: Project; line: string }) {
  const navigate = useNavigate()
  const lines = line ? [line] : []
  const { results, retry } = useLookUp(project.id, lines)
  const rows = lookUpRows(lines, results)
  const paper = rows[0]?.state === 'found' ? rows[0].result?.paper : undefined
  const adding = useAddPapers(project.id)
  const add = () => {
    if (!paper) return
    whenDone(adding.mutateAsync([paper]), {
      onSuccess: ({ papers: [added] }) => {
        rememberProject(project.id)
        toast({ title: added!.created ? `Added to ${project.name}` : `${project.name} already has this paper` })
        void navigate({ to: pages.document(project.address, added!.document_id) })
      },
      onError: (error) => toast({ title: 'Paper not added', description: messageOf(error), destructive: true }),
    })
  }
  return (
    <>
      {rows.length > 0 ? <LookUpList rows={rows} address={project.address} onRetry={retry} /> : null}
      <div>
        <Button variant="primary" disabled={!paper || adding.isPending} onClick={add}>
          {adding.isPending ? 'Adding...' : 'Add 1 paper'}
        </Button>
      </div>
    </>
  )
}

function rememberProject(id: string) {
  try {
    localStorage.setItem(STORED, id)
  } catch {
    // Without storage, the next page starts with the newest project.
  }
}
