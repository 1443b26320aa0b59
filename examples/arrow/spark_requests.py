"""Translate a column of a Parquet file in Spark, with two workers, and query the result."""

import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from wireglot import arrow

kernel = arrow.decode("openai_chat", column="body")

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.execution.arrow.maxRecordsPerBatch", 1000)
    .getOrCreate()
)
made = from_arrow_schema(kernel.schema(pq.read_schema("requests.parquet")))
rows = spark.read.parquet("requests.parquet").mapInArrow(lambda batches: map(kernel, batches), made)
rows.createOrReplaceTempView("requests")

texts = spark.sql("select id, explode(messages) as message from requests order by id")
texts.select("id", "message.role", "message.text").show(truncate=False)
spark.sql("select id, error.* from requests where error is not null").show(truncate=False)
spark.stop()
