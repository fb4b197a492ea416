import ort from 'onnxruntime-node'
import type { Weight } from '../../inference/weight.ts'
import { chipSize, faceDescriptorGraph } from './face-descriptor-graph.ts'
import { detectorSize, faceDetectorGraph } from './face-detector-graph.ts'
import { faceLandmarkGraph, landmarkSize } from './face-landmark-graph.ts'
import { type FaceModel, readWeights } from './face-weights.ts'

type Graph = (weights: ReadonlyMap<string, Weight>) => Uint8Array

/** The three networks, loaded: each call takes one square RGB image of bytes, of the edge that its graph file states. */
export interface FaceModels {
  /** 5118 candidates: `boxes` top, left, bottom, right as shares of the edge; `scores` 0..1. */
  detect(square: Uint8Array): Promise<{ readonly boxes: Float32Array; readonly scores: Float32Array }>
  /** x and y of 68 points in turn, as shares of the edge. */
  landmarks(square: Uint8Array): Promise<Float32Array>
  /** 128 numbers. */
  describe(chip: Uint8Array): Promise<Float32Array>
}

/**
 * Reads the weights, makes ONNX models of them in memory and loads these (about 0.4 s). One thread each: callers run side by side.
 * With onnxruntime's memory arena: it keeps what the largest run needed, but without it the C library's heap grows in pieces
 * (180 images on two threads: 750 MB for the process instead of 1.1 GB).
 */
export async function openFaceModels(executionProviders: readonly string[]): Promise<FaceModels> {
  const open = (model: FaceModel, graph: Graph): Promise<ort.InferenceSession> =>
    ort.InferenceSession.create(graph(readWeights(model)), {
      executionProviders: [...executionProviders],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableCpuMemArena: true,
      enableMemPattern: false,
      logSeverityLevel: 3,
    })
  const detector = await open('ssd_mobilenetv1_model', faceDetectorGraph)
  const landmarks = await open('face_landmark_68_model', faceLandmarkGraph)
  const descriptor = await open('face_recognition_model', faceDescriptorGraph)
  return {
    async detect(square) {
      const found = await detector.run({ image: tensor(square, detectorSize) })
      return { boxes: floats(found.boxes), scores: floats(found.scores) }
    },
    async landmarks(square) {
      return floats((await landmarks.run({ image: tensor(square, landmarkSize) })).points)
    },
    async describe(chip) {
      return floats((await descriptor.run({ image: tensor(chip, chipSize) })).descriptor)
    },
  }
}

const tensor = (square: Uint8Array, edge: number): ort.Tensor => new ort.Tensor('uint8', square, [1, edge, edge, 3])

function floats(value: ort.OnnxValue | undefined): Float32Array {
  if (value instanceof ort.Tensor && value.data instanceof Float32Array) return value.data
  throw new Error('A face model did not answer with numbers')
}
