import { createFileRoute } from '@tanstack/react-router'
import { NotFoundScreen } from '#src/features/app/shell/not-found-screen.tsx'

// Every address without a screen, including those of the specification that do not work yet.
export const Route = createFileRoute('/$')({ component: NotFoundScreen })
