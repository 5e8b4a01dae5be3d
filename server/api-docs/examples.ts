/** Bodies that work as they stand, by operation. Ids are made up. */
export const EXAMPLES: Record<string, unknown> = {
  'POST /api/projects': {
    name: 'Sleep in old age',
    research_question: 'Do naps help older adults?',
    tags: ['sleep', 'ageing'],
  },
  'PATCH /api/projects/{id}': { description: 'Everything about naps.', is_default: true },
  'PATCH /api/profiles/{id}': { full_name: 'Ada Lovelace', theme: 'dark' },
  'POST /api/documents/reassign': { from_project_id: '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11', project_id: null },
  'PATCH /api/documents/{id}': {
    title: 'Naps and sleep',
    publication_date: '2024-02-29',
    keywords: ['naps'],
    insights: ['Naps helped.'],
  },
  'PUT /api/documents/{id}/text': {
    extracted_text: '[Page 1]\nNaps helped older adults.',
    method: 'text',
    page_count: 1,
  },
  'POST /api/documents/process': {
    document_ids: ['3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11'],
    steps: ['extract', 'analyze', 'vectorize'],
    method: 'text',
  },
  'POST /api/documents/{id}/extract': { method: 'text' },
  'POST /api/documents/{id}/analyze': { prompt_id: null },
  'POST /api/documents/{id}/vectorize': { force: false },
  'POST /api/documents/{id}/chat': { question: 'Did naps help?' },
  'POST /auth/v1/sign-up/email': { email: 'ada@example.org', password: 'correct horse battery' },
  'POST /auth/v1/sign-in/email': { email: 'ada@example.org', password: 'correct horse battery' },
  'POST /auth/v1/change-password': { currentPassword: 'correct horse battery', newPassword: 'a longer battery staple' },
  'POST /auth/v1/revoke-session': { id: '5a0f2c1e-8f65-4a7b-9a1d-2f7f0c3f7b10' },
  'POST /auth/v1/factors': { friendly_name: 'My phone', factor_type: 'totp' },
  'POST /auth/v1/factors/{factorId}/challenge': { channel: 'sms' },
  'POST /auth/v1/factors/{factorId}/verify': {
    challenge_id: '5a0f2c1e-8f65-4a7b-9a1d-2f7f0c3f7b10',
    code: '123456',
  },
  'PATCH /api/admin/people/{id}': { is_admin: true },
  'DELETE /api/account': { password: 'correct horse battery' },
  'POST /api/documents/sample': { project_id: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d' },
  'POST /api/papers': {
    project_id: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
    title: 'Naps and sleep in old age',
    doi: '10.5555/naps.2025',
    authors: ['Ada Lovelace'],
    journal: 'Journal of Sleep',
    date: '2025-03-01',
    link: 'https://example.org/naps',
  },
  'POST /api/drive/import': {
    project_id: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
    access_token: 'the accessToken of google-drive-callback',
    file_id: '1AbC',
    file_name: 'paper.pdf',
  },
  'POST /functions/v1/google-drive-callback': {
    code: 'the code that Google sent',
    redirectUri: 'https://lectern.example.org/auth/callback/google',
  },
  'POST /functions/v1/google-drive-list': { action: 'list', folderId: 'root', accessToken: 'the accessToken' },
  'POST /functions/v1/google-drive-download': {
    fileId: '1AbC',
    accessToken: 'the accessToken',
    fileName: 'paper.pdf',
  },
  'POST /auth/v1/request-password-reset': { email: 'ada@example.org' },
  'POST /auth/v1/reset-password': { token: 'the token of the letter', newPassword: 'a longer battery staple' },
  'POST /auth/v1/sign-in/social': { redirect_to: '/projects' },
  'POST /functions/v1/analyze-pdf': {
    text: '[Page 1]\nNaps helped older adults.',
    system_prompt: 'Summarise the findings.',
    model: 'default',
  },
  'POST /functions/v1/ocr-pdf': { document_url: '3f0c8a5e-6a0e-4b1f-9d5c-0f6f4b1a2c3d' },
  'POST /functions/v1/generate-embeddings': {
    chunks: [{ content: 'Naps helped older adults.', pageNumber: 1, pageOffset: 0 }],
    document_id: '3f0c8a5e-6a0e-4b1f-9d5c-0f6f4b1a2c3d',
    force: false,
  },
  'PUT /api/feed/articles/{id}/marks': { read: true, starred: true },
  'POST /api/subscriptions': {
    journal_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    project_id: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
  },
  'POST /api/subscriptions/opml': {
    project_id: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
    opml: '<opml version="2.0"><body><outline text="Journal of Sleep" xmlUrl="https://example.org/feed"/></body></opml>',
  },
  'POST /api/journals': { name: 'Journal of Sleep', url: 'https://example.org/journal' },
  'POST /functions/v1/proxy-rss': { url: 'https://example.org/feed' },
  'POST /functions/v1/rpc/update_profile': { user_id: 'the id of your account', full_name_val: 'Ada Lovelace' },
  'POST /functions/v1/rpc/manage_document_tags': {
    doc_id: '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11',
    tag_names: ['naps', 'sleep'],
  },
  'POST /functions/v1/generate-query-embedding': { query: 'Did naps help?' },
  'POST /functions/v1/similarity-search': {
    query_embedding: [0.12, -0.05, 0.33],
    document_id: '3f0c8a5e-6a0e-4b1f-9d5c-0f6f4b1a2c3d',
    limit: 3,
  },
  'POST /functions/v1/generate-answer': {
    query: 'Did naps help?',
    chunks: [{ content: 'Naps helped older adults.', page_number: 1, similarity: 0.82 }],
  },
}

/** What a refusal reads like, by status. */
export const REFUSALS: Record<string, { description: string; code: string; message: string }> = {
  400: {
    description: 'Malformed: the body or a parameter cannot be read',
    code: 'malformed',
    message: 'The request is not valid JSON.',
  },
  401: { description: 'No session', code: 'no_session', message: 'You are not logged in.' },
  403: {
    description: 'Asked for by a page of another site',
    code: 'forbidden',
    message: 'This request came from another site.',
  },
  404: { description: 'Not there, or not yours', code: 'not_found', message: 'Document not found' },
  409: {
    description: 'In the way of something else',
    code: 'conflict',
    message: 'This document is being analysed already.',
  },
  413: { description: 'Too large', code: 'too_large', message: 'Request too large' },
  415: {
    description: 'The wrong media type',
    code: 'wrong_type',
    message: 'This file is not a PDF. Only PDF files are accepted.',
  },
  422: { description: 'Valid JSON but refused by a rule', code: 'refused', message: 'No text available to vectorize' },
  429: {
    description: 'Slow down; see Retry-After',
    code: 'too_many',
    message: 'Too many requests. Please try again later.',
  },
  500: { description: 'Failed unexpectedly', code: 'internal', message: 'An unknown error occurred.' },
  501: {
    description: 'Not set up on this server',
    code: 'not_configured',
    message: 'Google Drive is not set up on this installation.',
  },
  502: {
    description: 'An outside service failed',
    code: 'outside_failed',
    message: 'The file storage did not answer. Please try again later.',
  },
  504: {
    description: 'An outside service was slow',
    code: 'outside_slow',
    message: 'The address took too long to answer.',
  },
}
