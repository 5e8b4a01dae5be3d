import { z } from 'zod'
import { projectRight, projectRole } from './roles.ts'
import { rowVersion, seenVersion } from './versions.ts'

/** First path segments of the app. A project cannot have one of these names. */
export const RESERVED_PROJECT_NAMES = [
  'projects',
  'test-projects',
  'add',
  'ask',
  'help',
  'invitations',
  'invite',
  'library',
  'mcp',
  'search',
  'auth',
  'admin',
  'profile',
  'settings',
  'terms',
  'privacy',
  'cookies',
  'api',
  'functions',
  'files',
  'assets',
  'docs',
  'healthz',
  'readyz',
  'metrics',
] as const

export const tag = z.object({ id: z.uuid(), name: z.string() })
export type Tag = z.infer<typeof tag>

/** A tag in the response of GET /api/tags. */
export const listedTag = tag.extend({ may: z.array(projectRight).describe('the rights of the caller in its project') })
export type ListedTag = z.infer<typeof listedTag>

export const project = z.object({
  id: z.uuid(),
  name: z.string(),
  address: z
    .string()
    .describe(
      'first path segment of its pages for the caller: its name, with `~` and digits of its id if another project has it',
    ),
  description: z.string().nullable(),
  hero_image: z.string().nullable(),
  research_question: z.string().nullable(),
  citation_style: z.string().nullable().describe('the default citation style; null: apa'),
  citation_language: z
    .string()
    .nullable()
    .describe('the language of citations in styles without a language; null: en-US'),
  is_default: z.boolean(),
  process_automatically: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  version: rowVersion,
  owner_id: z.string(),
  owner_name: z.string().nullable().describe('the owner under whose name the project is; null for your own projects'),
  tags: z.array(tag),
  document_count: z.number().int(),
  feed_count: z.number().int(),
  member_count: z.number().int(),
  role: projectRole.describe('the role of the caller in the project'),
  may: z.array(projectRight).describe('the rights of the caller in the project'),
})
export type Project = z.infer<typeof project>

/** Trims a project name. Refuses blank names, names over 200 characters, '.', '..' and RESERVED_PROJECT_NAMES (any case). */
export const projectName = z
  .string('Project name is required')
  .trim()
  .min(1, 'Project name is required')
  .max(200, 'A project name has at most 200 characters')
  // Invisible characters, such as a zero-width space, are not a name.
  .refine((name) => name === '' || /[^\p{Cc}\p{Cf}\p{Z}]/u.test(name), 'Project name is required')
  .refine(
    (name) => !(RESERVED_PROJECT_NAMES as readonly string[]).includes(name.toLowerCase()),
    'This name is reserved. Please choose another one.',
  )
  .refine((name) => name !== '.' && name !== '..', 'This name cannot be part of an address. Please choose another one.')

export const PROJECT_NAME_TAKEN = 'You already have a project with this name.'

export const projectInput = z.object({
  name: projectName,
  description: z.string().trim().max(20_000).nullable().optional(),
  research_question: z.string().trim().max(5_000).nullable().optional(),
  // An external picture, or the unchanged address of the project's stored picture.
  hero_image: z
    .union([z.url({ protocol: /^https?$/ }), z.string().regex(/^\/files\/project_hero\/[\w.-]+\.webp$/)])
    .pipe(z.string().max(2000))
    .nullable()
    .optional(),
  tags: z
    .array(z.string().trim().max(100, 'A tag has at most 100 characters'))
    .max(100, 'A project has at most 100 tags')
    .optional()
    .describe('blank tags are ignored'),
  process_automatically: z.boolean().optional(),
  citation_style: z.string().trim().min(1).max(300).nullable().optional(),
  citation_language: z.string().trim().min(1).max(20).nullable().optional(),
})
export type ProjectInput = z.infer<typeof projectInput>

/** GET /api/projects. `search` searches in name, description and research question. */
export const projectsQuery = z.object({
  name: z.string().max(300).optional().describe('exact name of a project, ignoring case'),
  address: z.string().max(300).optional().describe('the project whose pages are at this first path segment'),
  search: z.string().trim().max(200).default(''),
  order_by: z
    .string()
    .regex(/^(name|created_at|updated_at)(\.(asc|desc))?$/)
    .default('created_at.desc'),
})
export type ProjectsQuery = z.output<typeof projectsQuery>

/** Query parameters of GET /api/tags. */
export const tagsQuery = z.object({
  project_id: z.uuid().optional().describe('the tags of this project; without it, the names of all tags that you read'),
  search: z.string().trim().max(200).default(''),
  order_by: z
    .string()
    .regex(/^name(\.(asc|desc))?$/)
    .default('name.asc'),
})
export type TagsQuery = z.output<typeof tagsQuery>

/**
 * Body of PATCH for a project: the fields of `projectInput`, each optional. With `is_default: true`, this project becomes the
 * caller's default project.
 */
export const projectPatch = projectInput
  .partial()
  .extend({ is_default: z.literal(true).optional(), version: seenVersion.optional() })
export type ProjectPatch = z.infer<typeof projectPatch>

/** Errors for a refused project picture: title and description. */
export const PROJECT_IMAGE_TOO_LARGE = {
  title: 'File too large',
  description: 'Please select an image under 5MB',
} as const
export const PROJECT_IMAGE_WRONG_TYPE = {
  title: 'Invalid file type',
  description: 'Please select an image file',
} as const
