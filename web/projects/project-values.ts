import { z } from 'zod'
import { type Project, projectName } from '#shared/contract/projects.ts'
import { textOf } from '#web/lib/save-together.tsx'

/** Schema of the values in the form of the project dialog, without the image. */
export const fields = z.object({
  name: projectName,
  research_question: z.string().trim().max(5_000, 'At most 5,000 characters'),
  description: z.string().trim().max(20_000, 'At most 20,000 characters'),
  tags: z.array(z.string()),
  process_automatically: z.boolean(),
  citation_style: z.string().nullable(),
  citation_language: z.string().nullable(),
})

/** The value of `hero_image` in the saved values while the user has chosen a new image file that is not uploaded yet. */
export const CHOSEN_FILE = 'chosen file'

/**
 * The values that the dialog saves. `hero_image` is null for a removed image, and CHOSEN_FILE for a file, which is uploaded
 * afterwards.
 */
export type SavedValues = z.output<typeof fields> & Pick<Project, 'hero_image'>

/** The labels of the values that the project dialog saves. */
export const SAVED_LABELS: Readonly<Record<keyof SavedValues, string>> = {
  name: 'Name',
  research_question: 'Research question',
  description: 'Description',
  tags: 'Tags',
  process_automatically: 'Process new documents automatically',
  citation_style: 'Citation style',
  citation_language: 'Language of citations',
  hero_image: 'Image',
}

/** Converts a value of the project dialog to text for the user. `name` is the name of its field. */
export const savedText = (value: SavedValues[keyof SavedValues], name: keyof SavedValues): string =>
  name === 'hero_image'
    ? value
      ? value === CHOSEN_FILE
        ? 'The chosen image'
        : 'An image'
      : 'No image'
    : textOf(value)

/** Returns the values of the project dialog for a project, or for a new project if `project` is undefined. */
export const valuesOf = (project: Project | undefined): SavedValues => ({
  name: project?.name ?? '',
  research_question: project?.research_question ?? '',
  description: project?.description ?? '',
  tags: project?.tags.map((tag) => tag.name) ?? [],
  process_automatically: project?.process_automatically ?? true,
  citation_style: project?.citation_style ?? null,
  citation_language: project?.citation_language ?? null,
  hero_image: project?.hero_image ?? null,
})
