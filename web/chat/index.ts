export { ChatScreen, type ChatScreenProps } from './chat-screen.tsx'
