import { relationalEngines } from '../../support/engines/engines.ts'
import { relationalContract } from './relational.contract.ts'

for (const engine of relationalEngines()) relationalContract(engine.name, () => engine.open())
