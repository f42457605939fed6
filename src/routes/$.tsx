import { createFileRoute } from '@tanstack/react-router'
import { NotFoundScreen } from '#src/features/app/shell/not-found-screen.tsx'

// Every address that no screen answers, those of the specification that do not work yet among them.
export const Route = createFileRoute('/$')({ component: NotFoundScreen })
