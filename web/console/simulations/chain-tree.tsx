import { SimulationDelegatorsDocument, SimulationWeightsDocument, type SimulationWeightsQuery } from '@civigraph/client/documents'
import { useState } from 'react'
import { Button, Collection, Tree, TreeItem, TreeItemContent } from 'react-aria-components'
import { useClient } from 'urql'
import { Button as PlainButton } from '../../components/button.tsx'
import { ListState } from '../../components/list-state.tsx'
import { Problem } from '../../components/problem.tsx'
import { Badge } from '../../components/status.tsx'
import { errorOf } from '../../shared/frame/fault-boundary.tsx'
import { usePages } from '../../shared/graph/pages.ts'
import { Code } from '../codes/citizen-link.tsx'
import type { ScenarioVariables } from './scenario-texts.ts'
import { useSimulationWords } from './simulation-words/words.ts'

/** A citizen in the tree; below are the citizens who delegate to them. */
interface Branch {
  /** unique in the tree */
  readonly id: string
  readonly code: string
  /** votes that pass through the citizen, or that a voter casts */
  readonly votes: number
  readonly direct: number
  readonly isVoter: boolean
  readonly isAssumed: boolean
  readonly isLost: boolean
}

interface LoadedBranches {
  readonly branches: readonly Branch[]
  /** undefined: all are there */
  readonly after: string | undefined
}

const votersAtOnce = 20
const delegatorsAtOnce = 50
const weightsIn = ({ delegationSimulation }: SimulationWeightsQuery) => delegationSimulation?.weights

/** The citizens who vote, the heaviest first, and on expansion the citizens whose votes they cast. */
export function ChainTree({ variables }: { variables: ScenarioVariables }) {
  const { word } = useSimulationWords()
  const client = useClient()
  const pages = usePages(SimulationWeightsDocument, { ...variables, orderBy: 'HEAVIEST_FIRST' as const, first: votersAtOnce }, weightsIn)
  const [opened, setOpened] = useState<ReadonlyMap<string, LoadedBranches>>(new Map())
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<Error>()
  const voters = pages.rows.map(
    ({ citizen: { code }, weight, directDelegations }): Branch => ({
      id: JSON.stringify([code]),
      code,
      votes: weight,
      direct: directDelegations,
      isVoter: true,
      isAssumed: false,
      isLost: false,
    }),
  )
  const load = async (id: string, before?: LoadedBranches): Promise<void> => {
    const path = JSON.parse(id) as readonly string[]
    setProblem(undefined)
    try {
      const { data, error } = await client
        .query(
          SimulationDelegatorsDocument,
          { ...variables, code: path.at(-1) ?? '', first: delegatorsAtOnce, ...(before?.after !== undefined && { after: before.after }) },
          { requestPolicy: 'network-only' },
        )
        .toPromise()
      if (error !== undefined) throw error
      const page = data?.delegationSimulation?.delegators
      if (page == null) return
      const branches = page.nodes.map(
        ({ citizen: { code }, through, directDelegations, isAssumed, isLost }): Branch => ({
          id: JSON.stringify([...path, code]),
          code,
          votes: through,
          direct: directDelegations,
          isVoter: false,
          isAssumed,
          isLost,
        }),
      )
      const after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined
      setOpened((all) => new Map(all).set(id, { branches: [...(before?.branches ?? []), ...branches], after }))
    } catch (error) {
      setProblem(errorOf(error))
    }
  }
  const expand = (keys: ReadonlySet<string>): void => {
    setExpanded(keys)
    for (const key of keys) if (!opened.has(key)) void load(key)
  }
  const branch = (each: Branch) => {
    const below = opened.get(each.id)
    return (
      <TreeItem key={each.id} id={each.id} textValue={each.code} className="branch">
        <TreeItemContent>
          <Button slot="chevron" className="chevron">
            <span aria-hidden="true">▸</span>
          </Button>
          <BranchText {...each} />
        </TreeItemContent>
        <Collection items={below?.branches ?? []} dependencies={[opened, word]}>
          {branch}
        </Collection>
        {/* a row without items below could not be expanded by keyboard */}
        {below === undefined && each.direct > 0 && (
          <TreeItem id={`${each.id} loading`} textValue={word('loading')} className="branch">
            <TreeItemContent>{word('loading')}</TreeItemContent>
          </TreeItem>
        )}
        {below?.after !== undefined && (
          <TreeItem id={`${each.id} more`} textValue={word('tree.more')} className="branch" onAction={() => void load(each.id, below)}>
            <TreeItemContent>
              <span className="link">{word('tree.more')}</span>
            </TreeItemContent>
          </TreeItem>
        )}
      </TreeItem>
    )
  }
  return (
    <>
      <Problem error={problem} />
      {voters.length > 0 && (
        <Tree
          aria-label={word('tree.title')}
          className="chain-tree"
          items={voters}
          dependencies={[opened, word]}
          expandedKeys={expanded}
          onExpandedChange={(keys) => expand(new Set([...keys].map(String)))}
        >
          {branch}
        </Tree>
      )}
      <ListState
        isLoading={pages.isLoading}
        isEmpty={voters.length === 0}
        problem={pages.problem}
        empty={word('tree.empty')}
        onRetry={pages.retry}
      />
      {pages.hasMore && (
        <p className="unprinted">
          <PlainButton isPending={pages.isLoading} onPress={pages.more}>
            {word('tree.more-voters')}
          </PlainButton>
        </p>
      )}
    </>
  )
}

function BranchText({ code, votes, direct, isVoter, isAssumed, isLost }: Branch) {
  const { word } = useSimulationWords()
  return (
    <span className="branch-text">
      <strong>
        <Code code={code} />
      </strong>{' '}
      {isVoter ? word('tree.casts', { count: votes }) : word('tree.through', { count: votes })}
      {direct > 0 && <span className="quiet"> {word('tree.direct', { count: direct })}</span>}{' '}
      {isAssumed && <Badge kind="plain">{word('tree.assumed')}</Badge>} {isLost && <Badge kind="warn">{word('tree.lost')}</Badge>}
    </span>
  )
}
