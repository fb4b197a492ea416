import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { lazyComponent } from '../../shared/frame/lazy-component.tsx'
import { useWords } from '../words/words.ts'

const ReportDialog = lazyComponent(async () => (await import('./report-dialog.tsx')).ReportDialog)

/** Opens the form that reports an expression to the moderators. @param text - names the expression for screen readers */
export function ReportButton({ expressionId, text }: { expressionId: string; text: string }) {
  const { word } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        className="button plain small report"
        aria-label={word('report.one', { text: text.length > 60 ? `${text.slice(0, 60)}…` : text })}
        onPress={() => setOpen(true)}
      >
        {word('report')}
      </Button>
      {isOpen && <ReportDialog expressionId={expressionId} onClose={() => setOpen(false)} />}
    </>
  )
}
