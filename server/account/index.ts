export { deleteAccountData, deleteDocumentsOf } from './delete-account.ts'
