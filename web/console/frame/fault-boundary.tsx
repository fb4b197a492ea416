import { Component, type ReactNode } from 'react'
import { Problem } from '../../components/problem.tsx'

/** A view that cannot be shown takes nothing else with it: what went wrong is said in its place, and the other views work. */
export class FaultBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {}

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error }
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <Problem error={this.state.error} />
  }
}
